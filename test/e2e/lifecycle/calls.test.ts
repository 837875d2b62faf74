import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { ROOT } from '../../architecture/tree.js';
import { shows } from '../../requirements/shows.js';
import { eventually, plain, startGateway } from '../gateway-process.js';
import type { RawClient } from './raw-client.js';
import { cancelledIn, textOf } from './tool-results.js';

const LATE = {
  command: process.execPath,
  args: [join(ROOT, 'test', 'e2e', 'lifecycle', 'late-child.mjs')],
};

/** The progress reports that a client got, as `token: progress/total`. */
function progressIn(client: RawClient): string[] {
  return client.received
    .filter(({ method }) => method === 'notifications/progress')
    .map(({ params }) => {
      const { progressToken, progress, total } = params!;
      return `${JSON.stringify(progressToken)}: ${progress}/${total}`;
    });
}

describe.each(['stdio', 'http'] as const)('a call over %s', (listener) => {
  it(
    'that is cancelled is cancelled at its server, and frees the slot',
    shows('ANN-45', async () => {
      const gateway = await startGateway({ servers: { kid: plain(), other: plain() }, listener });
      const client = await gateway.connect();
      await client.tools();
      void client.request('tools/call', { name: 'kid:sleep', arguments: { ms: 20_000 } }, 'slow');
      void client.request('tools/call', { name: 'kid:sleep', arguments: { ms: 20_000 } }, 77);
      await client.result('kid:calls');
      client.notify('notifications/cancelled', { requestId: 'slow', reason: 'enough' });
      await eventually(async () => (await cancelledIn(client, 'kid')).length === 1);
      client.notify('notifications/cancelled', { requestId: 77 });
      // No request has this id, so nothing happens.
      client.notify('notifications/cancelled', { requestId: 'unknown' });
      await eventually(async () => (await cancelledIn(client, 'kid')).length === 2);
      expect(await cancelledIn(client, 'other')).toEqual([]);
    }),
  );

  it(
    'reports its progress under the token of the caller, be it text or number',
    shows('ANN-45', async () => {
      const gateway = await startGateway({ servers: { kid: plain() }, listener });
      const client = await gateway.connect();
      await client.tools();
      const ask = (progressToken: string | number): Promise<unknown> =>
        client.call('kid:progress', { steps: 3, ms: 5 }, { _meta: { progressToken } });
      await ask('a token "of mine"');
      expect(progressIn(client)).toEqual([1, 2, 3].map((n) => `"a token \\"of mine\\"": ${n}/3`));
      client.received.length = 0;
      await Promise.all([ask(7), ask('7')]);
      const expected = ['7', '"7"'].flatMap((token) => [1, 2, 3].map((n) => `${token}: ${n}/3`));
      expect(progressIn(client).toSorted()).toEqual(expected.toSorted());
      await client.call('kid:progress', { steps: 3 });
      expect(progressIn(client)).toHaveLength(6);
    }),
  );

  it('that was cancelled gets no late answer', async () => {
    const gateway = await startGateway({ servers: { kid: LATE }, listener });
    const client = await gateway.connect();
    await client.tools();
    let answered = 0;
    void client.request('tools/call', { name: 'kid:late' }, 'gone').then(() => answered++);
    const seen = async (): Promise<string> => textOf(await client.result('kid:seen'));
    await eventually(async () => (await seen()) === '1 pending, 0 cancelled');
    client.notify('notifications/cancelled', { requestId: 'gone' });
    await eventually(async () => (await seen()) === '1 pending, 1 cancelled');
    // The late answer would arrive before the answer to this call, and that arrives before the
    // answer to the next.
    expect(textOf(await client.result('kid:release'))).toBe('released');
    expect(await seen()).toBe('0 pending, 1 cancelled');
    expect(answered).toBe(0);
    expect(client.received.filter(({ method }) => method === undefined)).toEqual([]);
  });
});

describe('a client that disconnects', () => {
  it('cancels its calls', async () => {
    const gateway = await startGateway({ servers: { kid: plain() }, listener: 'http' });
    const [leaver, stayer] = [await gateway.connect(), await gateway.connect()];
    await stayer.tools();
    void leaver.call('kid:sleep', { ms: 20_000 });
    await stayer.result('kid:calls');
    await leaver.leave();
    await eventually(async () => (await cancelledIn(stayer, 'kid')).length === 1);
  });
});
