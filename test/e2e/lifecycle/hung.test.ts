import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { shows } from '../../requirements/shows.js';
import {
  eventually,
  faulty,
  plain,
  startGateway,
  temporaryFolder,
  type GatewayProcess,
  type GatewaySetup,
} from '../gateway-process.js';
import type { Message } from './raw-client.js';

const codeOf = ({ error }: Message): unknown => error?.data?.['code'];
const serverOf = (tool: string): string => tool.split(':')[0]!;

/** A gateway over HTTP with one more server, `fine`, that is ready. */
async function startWithFine({ servers, settings }: GatewaySetup): Promise<GatewayProcess> {
  const setup = { servers: { ...servers, fine: plain() }, settings: settings ?? {} };
  const gateway = await startGateway({ ...setup, listener: 'http' });
  const stateOf = async () => (await gateway.stateOf('fine'))?.['state'];
  await eventually(async () => String(JSON.stringify(await stateOf())).includes('ready'));
  return gateway;
}

describe('a server that starts slowly', () => {
  it(
    'delays the first list by no more than the limit, and is ended',
    shows('FR-009', async () => {
      // Its start takes longer than the test may: only the limit of the list can end the wait.
      const patient = await startWithFine({
        servers: { mute: faulty('never-answers') },
        settings: { listWaitMs: 500, servers: { mute: { startTimeoutMs: 600_000 } } },
      });
      const tools = await (await patient.connect()).tools();
      expect(new Set(tools.map(serverOf))).toEqual(new Set(['fine']));
      expect(patient.stderr).not.toContain('mute');

      const gateway = await startWithFine({
        servers: { mute: faulty('never-answers') },
        settings: { servers: { mute: { startTimeoutMs: 1_500 } }, restart: { giveUpAfter: 1 } },
      });
      await eventually(() => gateway.stderr.includes('mute'));
      expect(gateway.stderr).toContain(
        'error: [mute] gave up: Server "mute" did not answer within 1.5 s.',
      );
      // Its remaining processes are ended as well.
      await eventually(() => gateway.processes().length === 2);
    }),
  );

  it('is listed later, and clients are told', async () => {
    const mayAnswer = join(temporaryFolder(), 'may-answer');
    const gateway = await startWithFine({
      servers: { slow: plain(`--start-when=${mayAnswer}`) },
      settings: { listWaitMs: 200 },
    });
    const client = await gateway.connect();
    expect(new Set((await client.tools()).map(serverOf))).toEqual(new Set(['fine']));
    writeFileSync(mayAnswer, '');
    await eventually(() => client.count('notifications/tools/list_changed') > 0);
    await eventually(async () => (await client.tools()).includes('slow:add'));
    expect((await client.result('slow:add', { a: 2, b: 2 }))['structuredContent']).toEqual({
      sum: 4,
    });
  });
});

describe('a child that stops reading', () => {
  /** It answers the probe, the handshake and four lists, and then stops reading. */
  const deaf = faulty('ignores-stdin', '--after=6');

  it('is refused more calls than its limit, at once, and the others serve', async () => {
    const gateway = await startGateway({
      servers: { deaf, fine: plain() },
      settings: { limits: { maxPendingPerServer: 20 } },
    });
    const client = await gateway.connect();
    await client.tools();
    const hanging = Array.from({ length: 20 }, (_, n) =>
      client.request('tools/call', { name: 'deaf:add' }, `h${n}`),
    );
    let ended = 0;
    for (const call of hanging) void call.then(() => ended++);
    const refused = await Promise.all(Array.from({ length: 30 }, () => client.call('deaf:add')));
    expect(ended).toBe(0);
    expect(refused.map(codeOf)).toEqual(refused.map(() => 'upstream-busy'));
    expect(refused[0]!.error!.message).toBe(
      'Server "deaf" already has 20 calls waiting. Try again in a moment.',
    );
    const sums = await Promise.all(
      Array.from({ length: 15 }, (_, n) => client.result('fine:add', { a: n, b: n })),
    );
    expect(sums.at(-1)!['structuredContent']).toEqual({ sum: 28 });

    // Cancelled calls free their slots.
    client.notify('notifications/cancelled', { requestId: 'h0' });
    let isAnswered = false;
    void client.call('deaf:add').then(() => (isAnswered = true));
    // Answers come in order, so a refusal of the call before would have arrived by now.
    expect(codeOf(await client.call('deaf:add'))).toBe('upstream-busy');
    expect(isAnswered).toBe(false);
  });

  it('cannot fill the memory with unread data', async () => {
    const gateway = await startGateway({ servers: { deaf, fine: plain() } });
    const client = await gateway.connect();
    await client.tools();
    const text = 'x'.repeat(500_000);
    const calls = Array.from({ length: 300 }, () => client.call('deaf:echo', { text }));
    let refused = 0;
    for (const call of calls)
      void call.then((answer) => (refused += codeOf(answer) === 'upstream-busy' ? 1 : 0));
    expect((await client.result('fine:add', { a: 1, b: 1 }))['structuredContent']).toEqual({
      sum: 2,
    });
    // 64 MB are kept for a server that reads slowly; the rest is refused.
    await eventually(() => refused > 100);
    expect(gateway.peakMegabytes()).toBeLessThan(400);
  });
});
