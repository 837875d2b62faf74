import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import {
  eventually,
  faulty,
  plain,
  startGateway,
  temporaryFolder,
  type Finally,
  type GatewayProcess,
  type ServerEntry,
} from '../gateway-process.js';
import { isAlive } from './processes.js';

/** A gateway with a server, a server that ignores SIGTERM, and a server that leaves such a process behind. */
async function startFamily(
  listener: 'stdio' | 'http',
  later: Finally,
): Promise<{ gateway: GatewayProcess; family: number[] }> {
  const pidFile = join(temporaryFolder(later), 'grandchild.pid');
  const servers = {
    fine: plain(),
    stubborn: faulty('ignores-sigterm'),
    parent: faulty('grandchild', `--pid-file=${pidFile}`),
  };
  const gateway = await startGateway({ servers, listener }, later);
  const client = await gateway.connect();
  await eventually(async () => (await client.tools()).includes('parent:add'));
  void client.call('fine:sleep', { ms: 60_000 });
  const family = gateway.processes();
  // Three servers, a grandchild, and the shell that watches them.
  expect(family.length).toBeGreaterThanOrEqual(4);
  return { gateway, family };
}

/** Checks that every one of these processes ends. */
async function expectAllGone(gateway: GatewayProcess, family: readonly number[]): Promise<void> {
  await eventually(() => !family.some(isAlive));
  expect(gateway.processes()).toEqual([]);
}

const ENDINGS = [
  { how: 'SIGTERM', listener: 'stdio', exit: { code: 0, signal: null } },
  { how: 'SIGTERM', listener: 'http', exit: { code: 0, signal: null } },
  { how: 'SIGINT', listener: 'stdio', exit: { code: 130, signal: null } },
  { how: 'SIGKILL', listener: 'stdio', exit: { code: null, signal: 'SIGKILL' } },
  { how: 'the end of standard input', listener: 'stdio', exit: { code: 0, signal: null } },
] as const;

describe.concurrent('a gateway that stops ends every process', () => {
  for (const { how, listener, exit } of ENDINGS) {
    it(`after ${how}, served over ${listener}, no child and no grandchild is left`, async (test) => {
      const { gateway, family } = await startFamily(listener, test.onTestFinished);
      if (how === 'the end of standard input') gateway.endInput();
      else gateway.kill(how);
      test.expect(await gateway.exited).toEqual(exit);
      await expectAllGone(gateway, family);
    });
  }

  it('on a second signal without waiting for its servers, and no process is left', async (test) => {
    const { gateway, family } = await startFamily('http', test.onTestFinished);
    gateway.kill('SIGTERM');
    await eventually(() =>
      fetch(gateway.url).then(
        () => false,
        () => true,
      ),
    );
    gateway.kill('SIGINT');
    // After the first signal alone it would end with 0.
    test.expect(await gateway.exited).toEqual({ code: 130, signal: null });
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
      listener: 'http',
    });
    await eventually(() => gateway.processes().length >= 3 && gateway.stderr.includes('[broken]'));
    const family = gateway.processes();
    gateway.kill('SIGTERM');
    expect(await gateway.exited).toEqual({ code: 0, signal: null });
    await expectAllGone(gateway, family);
  });

  it('without signals if servers end with their input', async () => {
    const folder = temporaryFolder();
    /** Records how its server ended. A signal would reach the shell too, and end it before that. */
    const told = (name: string, ...flags: string[]): ServerEntry => {
      const { command, args = [] } = plain(...flags);
      const script = `"$@"; echo "$?" > '${join(folder, name)}'`;
      return { command: 'sh', args: ['-c', script, 'sh', command, ...args] };
    };
    const servers = { a: told('a'), b: told('b', '--stateless') };
    const gateway = await startGateway({ servers });
    const client = await gateway.connect();
    await client.tools();
    const family = gateway.processes();
    gateway.endInput();
    expect(await gateway.exited).toEqual({ code: 0, signal: null });
    for (const name of ['a', 'b']) expect(readFileSync(join(folder, name), 'utf8')).toBe('0\n');
    await expectAllGone(gateway, family);
  });
});

describe('a server that dies', () => {
  it('leaves no process behind, even one that holds its output open', async () => {
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
    // The shell that watches the process groups stays; child and grandchild end.
    await eventually(() => family.filter(isAlive).length === 1);
    expect(gateway.hasExited).toBe(false);
  });
});
