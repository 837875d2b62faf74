import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import {
  eventually,
  faulty,
  pause,
  plain,
  startGateway,
  temporaryFolder,
  type Finally,
  type GatewayProcess,
} from '../gateway-process.js';
import { isAlive } from './processes.js';

/** A gateway with a child, a stubborn child, and a child that leaves a stubborn process behind. */
async function startFamily(
  door: 'stdio' | 'http',
  later: Finally,
): Promise<{ gateway: GatewayProcess; family: number[] }> {
  const pidFile = join(temporaryFolder(later), 'grandchild.pid');
  const servers = {
    fine: plain(),
    stubborn: faulty('ignores-sigterm'),
    parent: faulty('grandchild', `--pid-file=${pidFile}`),
  };
  const gateway = await startGateway({ servers, door }, later);
  const client = await gateway.connect();
  await eventually(async () => (await client.tools()).includes('parent:add'));
  void client.call('fine:sleep', { ms: 60_000 });
  const family = gateway.processes();
  // Three children, a grandchild, and whoever looks after them.
  expect(family.length).toBeGreaterThanOrEqual(4);
  return { gateway, family };
}

/** Every process that was there is gone within five seconds. */
async function expectAllGone(gateway: GatewayProcess, family: readonly number[]): Promise<void> {
  await eventually(() => !family.some(isAlive), 5_000);
  expect(gateway.processes()).toEqual([]);
}

const ENDINGS = [
  { how: 'SIGTERM', door: 'stdio', exit: { code: 0, signal: null } },
  { how: 'SIGTERM', door: 'http', exit: { code: 0, signal: null } },
  { how: 'SIGINT', door: 'stdio', exit: { code: 130, signal: null } },
  { how: 'SIGKILL', door: 'stdio', exit: { code: null, signal: 'SIGKILL' } },
  { how: 'the end of standard input', door: 'stdio', exit: { code: 0, signal: null } },
] as const;

describe.concurrent('stop means stop', () => {
  for (const { how, door, exit } of ENDINGS) {
    it(`after ${how}, served over ${door}, no child and no grandchild is left`, async (test) => {
      const { gateway, family } = await startFamily(door, test.onTestFinished);
      const endedAt = Date.now();
      if (how === 'the end of standard input') gateway.endInput();
      else gateway.kill(how);
      test.expect(await gateway.exited).toEqual(exit);
      test.expect(Date.now() - endedAt).toBeLessThan(5_000);
      await expectAllGone(gateway, family);
    });
  }

  it('at once with a second signal, and still nobody is left', async (test) => {
    const { gateway, family } = await startFamily('http', test.onTestFinished);
    gateway.kill('SIGTERM');
    await pause(300);
    test.expect(gateway.hasExited).toBe(false);
    const secondAt = Date.now();
    gateway.kill('SIGINT');
    test.expect(await gateway.exited).toEqual({ code: 130, signal: null });
    test.expect(Date.now() - secondAt).toBeLessThan(1_000);
    await expectAllGone(gateway, family);
  });
});

describe('a gateway stops', () => {
  it('also in the middle of a start', async () => {
    const gateway = await startGateway({
      servers: {
        mute: faulty('never-answers'),
        late: faulty('slow-start=20000'),
        broken: faulty('exits-at-once'),
      },
      door: 'http',
    });
    await eventually(() => gateway.processes().length >= 3 && gateway.stderr.includes('[broken]'));
    const family = gateway.processes();
    gateway.kill('SIGTERM');
    expect(await gateway.exited).toEqual({ code: 0, signal: null });
    await expectAllGone(gateway, family);
  });

  it('quickly where children go by themselves', async () => {
    const gateway = await startGateway({ servers: { a: plain(), b: plain('--stateless') } });
    const client = await gateway.connect();
    await client.tools();
    const family = gateway.processes();
    const endedAt = Date.now();
    gateway.endInput();
    expect(await gateway.exited).toEqual({ code: 0, signal: null });
    expect(Date.now() - endedAt).toBeLessThan(1_000);
    await expectAllGone(gateway, family);
  });
});

describe('a child that dies by itself', () => {
  it('leaves nothing of its own behind, even if that holds its output open', async () => {
    const pidFile = join(temporaryFolder(), 'grandchild.pid');
    const gateway = await startGateway({
      servers: { parent: faulty('grandchild', `--pid-file=${pidFile}`, '--hold-stdout') },
      settings: { restart: { giveUpAfter: 1 } },
    });
    const client = await gateway.connect();
    await client.tools();
    const [...family] = gateway.processes();
    const { error } = await client.call('parent:crash');
    expect(error?.data).toMatchObject({ code: 'upstream-closed' });
    // The one that looks after us stays; child and grandchild do not.
    await eventually(() => family.filter(isAlive).length === 1, 5_000);
    expect(gateway.hasExited).toBe(false);
  });
});
