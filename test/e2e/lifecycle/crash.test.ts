import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { shows } from '../../requirements/shows.js';
import {
  eventually,
  faulty,
  pause,
  plain,
  startGateway,
  temporaryFolder,
} from '../gateway-process.js';
import { counted, startsIn } from './counted.js';
import { pidOf } from './tool-results.js';

const QUICK = { restart: { initialMs: 50, maxMs: 100 } };
const CHANGED = 'notifications/tools/list_changed';

describe('a child that is killed in the middle of a call', () => {
  it(
    'D17: fails that call without waiting for its return, and no other; its tools stay listed',
    shows('AGG-35', 'FR-009', async () => {
      const mayAnswer = join(temporaryFolder(), 'may-answer');
      writeFileSync(mayAnswer, '');
      const gateway = await startGateway({
        servers: { frail: plain(`--start-when=${mayAnswer}`), sturdy: plain() },
        settings: QUICK,
      });
      const client = await gateway.connect();
      const all = await client.tools();
      const pid = await pidOf(client, 'frail');
      const doomed = client.call('frail:sleep', { ms: 30_000 });
      const others = Array.from({ length: 1_000 }, (_, n) =>
        client.call('sturdy:add', { a: n, b: 1 }),
      );
      await client.result('frail:calls');
      const told = client.count(CHANGED);

      rmSync(mayAnswer);
      process.kill(pid, 'SIGKILL');
      // The call fails before the server is back, because the server waits for the file.
      const { error } = await doomed;
      expect(error).toMatchObject({
        code: -32000,
        data: { code: 'upstream-closed', server: 'frail' },
      });
      expect(error!.message).toContain('"frail" did not answer the call');
      expect(await client.tools()).toEqual(all);
      const answers = await Promise.all(others);
      expect(answers.map(({ result }) => result?.['structuredContent'])).toEqual(
        others.map((_, n) => ({ sum: n + 1 })),
      );

      writeFileSync(mayAnswer, '');
      expect(await pidOf(client, 'frail')).not.toBe(pid);
      expect(await client.tools()).toEqual(all);
      expect(client.count(CHANGED)).toBe(told);
    }),
  );

  it('says so to callers before it is back', async () => {
    const gateway = await startGateway({
      servers: { frail: plain() },
      settings: { restart: { initialMs: 60_000, maxMs: 60_000 } },
    });
    const client = await gateway.connect();
    await client.tools();
    const [first, second] = [
      client.call('frail:crash', { code: 7 }),
      client.call('frail:sleep', { ms: 9_000 }),
    ];
    expect((await first).error?.data).toMatchObject({
      code: 'upstream-closed',
      reason: 'it exited with code 7',
    });
    expect((await second).error?.data).toMatchObject({ code: 'upstream-closed' });
    expect((await client.call('frail:pid')).error?.message).toMatch(
      /^Server "frail" is not available: it exited with code 7; it will be started again in \d+ s$/,
    );
    expect(gateway.stderr).toContain('warning: [frail] it exited with code 7; starting again in');
  });
});

describe('a child that crashes again and again', () => {
  it.each([
    // The first start tries twice: with and without the message of the newer era.
    ['at once', 'exits-at-once', 'it exited with code 1', 5],
    ['after its handshake', 'exits-after-handshake', 'it exited with code 3', 4],
  ])(
    'is started a bounded number of times if it crashes %s, is then given up, and the others serve',
    shows('FR-009', async (_when: string, mode: string, reason: string, starts: number) => {
      const log = join(temporaryFolder(), 'starts');
      const gateway = await startGateway({
        servers: { broken: counted(faulty(mode), log), fine: plain() },
        // It may have listed its tools before it ended.
        settings: { restart: { initialMs: 20, maxMs: 60, giveUpAfter: 4 }, dropUnavailable: true },
        listener: 'http',
      });
      const client = await gateway.connect();
      expect((await client.result('fine:add', { a: 1, b: 2 }))['structuredContent']).toEqual({
        sum: 3,
      });
      const stateOf = async (): Promise<unknown> => (await gateway.stateOf('broken'))?.['state'];
      await eventually(async () => String(JSON.stringify(await stateOf())).includes('failed'));
      expect(await stateOf()).toMatchObject({
        is: 'failed',
        reason: expect.stringMatching(new RegExp(`^${reason}`)) as string,
      });
      expect(gateway.stderr).toContain(`error: [broken] gave up: ${reason}`);
      expect(startsIn(log)).toBe(starts);
      // Shows that nothing happens: the longest pause before a start is 60 ms.
      await pause(300);
      expect(startsIn(log)).toBe(starts);
      expect(readFileSync(log, 'utf8')).not.toBe('');
      const tools = await client.tools();
      expect(tools.filter((name) => !name.startsWith('fine:'))).toEqual([]);
    }),
  );
});

describe('a child that cannot be started', () => {
  it(
    'is reported with the reason, for any error of the system, and the others serve',
    shows('FR-009', async () => {
      const gateway = await startGateway({
        servers: {
          absent: { command: '/nowhere/at-all' },
          homeless: { ...plain(), cwd: '/nowhere/at-all' },
          verbose: { ...plain(), args: ['x'.repeat(200_000)] },
          fine: plain(),
        },
        settings: { restart: { giveUpAfter: 1 } },
      });
      const client = await gateway.connect();
      expect(await client.tools()).toContain('fine:add');
      expect(gateway.stderr).toMatch(/error: \[absent\] gave up: \/nowhere\/at-all does not exist/);
      expect(gateway.stderr).toMatch(
        /error: \[homeless\] gave up: its folder \/nowhere\/at-all does not exist/,
      );
      expect(gateway.stderr).toMatch(
        /error: \[verbose\] gave up: it could not be started: .*E2BIG/,
      );
      expect(await pidOf(client, 'fine')).toBeGreaterThan(0);
    }),
  );

  it('because of missing file descriptors does not affect the others', async () => {
    const idle = { command: 'sleep', args: ['30'] };
    const others = Array.from({ length: 110 }, (_, n) => [`idle-${n}`, idle]);
    const gateway = await startGateway({
      servers: { fine: plain(), ...Object.fromEntries(others) },
      settings: { restart: { giveUpAfter: 1 }, listWaitMs: 1_000 },
      through: ['sh', '-c', 'ulimit -n 256; exec "$@"', 'sh'],
    });
    const client = await gateway.connect();
    expect(await client.tools()).toContain('fine:add');
    await eventually(() => /\[idle-109\] gave up: .*EMFILE/.test(gateway.stderr));
    expect(gateway.stderr).not.toContain('[idle-0]');
    expect(await pidOf(client, 'fine')).toBeGreaterThan(0);
  });

  it(
    'ends the gateway if it is strict, and leaves no child behind',
    shows('FR-009', async () => {
      const gateway = await startGateway({
        servers: { fine: plain(), broken: faulty('exits-at-once') },
        flags: ['--strict'],
      });
      expect(await gateway.exited).toEqual({ code: 4, signal: null });
      expect(gateway.stderr).toMatch(/broken.*it exited with code 1/);
      await eventually(() => gateway.processes().length === 0);
    }),
  );
});
