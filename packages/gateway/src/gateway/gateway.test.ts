import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { commandOf, descendantsOf } from '../../../../test/e2e/lifecycle/processes.js';
import { temporaryFolder } from '../../../../test/e2e/serve/callsign-process.js';
import { until } from '../../../../test/e2e/serve/until.js';
import { shows } from '../../../../test/requirements/shows.js';
import { configured, faulty, plain, serveAll, Served } from '../testing/served.js';

describe('servers', () => {
  it(
    'with one command under two keys are two children with their own arguments',
    shows('AGG-02', 'AGG-17', async () => {
      const served = await serveAll({
        'fs-home': plain('--name=home', '--tools=1'),
        'fs-work': plain('--name=work', '--tools=2'),
      });
      const client = await served.connect();
      const names = await client.toolNames();
      expect(names.filter((name) => name.includes(':t_'))).toEqual([
        'fs-home:t_0',
        'fs-work:t_0',
        'fs-work:t_1',
      ]);
      expect(await client.pid('fs-home')).not.toBe(await client.pid('fs-work'));
      const calls = async (key: string) =>
        (await client.call(`${key}:calls`)).result?.structuredContent?.['calls'];
      expect(await calls('fs-home')).toBe(2);
      await client.call('fs-home:echo');
      expect([await calls('fs-home'), await calls('fs-work')]).toEqual([4, 2]);
    }),
  );

  it('start in parallel', async () => {
    const mayAnswer = join(temporaryFolder(), 'may-answer');
    const keys = ['a', 'b', 'c', 'd', 'e'];
    const server = plain(`--start-when=${mayAnswer}`);
    const { gateway } = new Served(
      configured(Object.fromEntries(keys.map((key) => [key, server]))),
    );
    const running = (): number =>
      descendantsOf(process.pid).filter((pid) => commandOf(pid).includes(mayAnswer)).length;
    await until(() => running() === keys.length);
    writeFileSync(mayAnswer, '');
    await gateway.settled();
    expect(gateway.status()).toMatchObject(keys.map((key) => ({ key, state: { is: 'ready' } })));
  });

  it(
    'C13, F5: that fail do not stop the others: a message names each, and calls say why',
    shows('FR-009', async () => {
      const served = await serveAll({
        good: plain(),
        bad: faulty('--mode=exits-at-once'),
        missing: { command: '/no/such/program' },
      });
      const client = await served.connect();
      const names = await client.toolNames();
      expect(new Set(names.map((name) => name.split(':')[0]))).toEqual(new Set(['good']));
      expect((await client.call('good:echo', { a: 1 })).result).toBeDefined();
      expect((await client.call('bad:echo')).error).toMatchObject({
        code: -32000,
        data: { code: 'upstream-unavailable', server: 'bad' },
      });
      expect((await client.call('nowhere:echo')).error).toMatchObject({ code: -32602 });
      expect(served.logged).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^warning: \[bad\] it exited with code 1; starting again in/),
          expect.stringMatching(/^warning: \[missing\] \/no\/such\/program does not exist/),
        ]),
      );
      expect(served.logged.filter((line) => line.includes('[good]'))).toEqual([]);
      expect(served.gateway.status()).toMatchObject([
        { key: 'good', state: { is: 'ready' } },
        { key: 'bad', state: { is: expect.stringMatching(/waiting|starting/) }, tools: 0 },
        { key: 'missing', state: { is: expect.stringMatching(/waiting|starting/) }, tools: 0 },
      ]);
    }),
  );
});

describe('the first list', () => {
  it('waits for servers that are starting', async () => {
    const served = new Served(configured({ fast: plain(), slow: plain('--delay-start=500') }));
    const names = await (await served.connect()).toolNames();
    expect(names).toContain('fast:echo');
    expect(names).toContain('slow:echo');
  });

  it('waits up to a limit, and contains what is ready; the rest is announced', async () => {
    const mayAnswer = join(temporaryFolder(), 'may-answer');
    const slow = plain(`--start-when=${mayAnswer}`);
    const served = new Served(configured({ fast: plain(), slow }, { listWaitMs: 700 }));
    await until(() => served.gateway.status()[0]?.state.is === 'ready');
    const client = await served.connect();
    const names = await client.toolNames();
    expect(names).toContain('fast:echo');
    expect(names).not.toContain('slow:echo');
    client.heard.length = 0;
    writeFileSync(mayAnswer, '');
    await served.gateway.settled();
    expect(await client.toolNames()).toContain('slow:echo');
    await until(() => client.heard.includes('notifications/tools/list_changed'));
  });

  it('does not wait for servers that have failed', async () => {
    const servers = { good: plain(), bad: faulty('--mode=exits-at-once') };
    const served = new Served(configured(servers, { listWaitMs: 15_000 }));
    const names = await (await served.connect()).toolNames();
    expect(names).toContain('good:echo');
  });
});
