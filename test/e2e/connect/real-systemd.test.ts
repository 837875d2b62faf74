/** The gateway under a real systemd of one user. Left out where no such systemd can be started. */

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { CAN_MOUNT } from '../../testing/small-disk.js';
import { BIN } from '../command.js';
import { eventually, plain } from '../gateway-process.js';
import { LineClient } from '../lifecycle/raw-client.js';
import { copiedBuild, upgrade } from './builds.js';
import { kill, Person, pidOf } from './person.js';

/** With the bus that `systemd-run` needs. */
const SYSTEMD = ['/usr/lib/systemd', '/lib/systemd']
  .filter((folder) => existsSync(join(folder, 'user/dbus.socket')))
  .map((folder) => join(folder, 'systemd'))
  .find((file) => existsSync(file));
const KID = { kid: plain() };

interface Manager {
  /** Leads the programs of the person to this systemd. */
  readonly env: Record<string, string>;
  systemctl(...args: string[]): { readonly status: number | null; readonly stdout: string };
}

/**
 * Starts systemd as on a machine that was booted with it. It sees folders of its own in the place of /run and of the
 * cgroups, where it finds only those below its own.
 */
const AS_BOOTED = `
echo $$ > "$1/cgroup.procs" && shift && exec unshare --mount --cgroup sh -c '
mount -t cgroup2 none /sys/fs/cgroup && mount -t tmpfs none /run && mkdir -p /run/systemd/system && exec "$@"' sh "$@"`;

/** The program and arguments of systemd. `undefined`: it cannot run on this machine. */
function commandOf(person: Person): readonly [string, readonly string[]] | undefined {
  if (existsSync('/run/systemd/system')) return [SYSTEMD!, ['--user']];
  const root = ['/sys/fs/cgroup/unified', '/sys/fs/cgroup'].find((folder) =>
    existsSync(join(folder, 'cgroup.procs')),
  );
  if (root === undefined || !CAN_MOUNT) return undefined;
  const own = join(root, basename(person.folder));
  try {
    mkdirSync(own);
  } catch {
    return undefined;
  }
  onTestFinished(() => eventually(() => isRemoved(own)));
  return ['sh', ['-c', AS_BOOTED, 'sh', own, SYSTEMD!, '--user']];
}

/** Removes a cgroup with those below it. Fails while a process is in one of them. */
function isRemoved(cgroup: string): boolean {
  try {
    for (const name of readdirSync(cgroup, { recursive: true })
      .map(String)
      .toSorted()
      .toReversed()) {
      const path = join(cgroup, name);
      if (statSync(path).isDirectory()) rmdirSync(path);
    }
    rmdirSync(cgroup);
    return true;
  } catch {
    return false;
  }
}

/** A systemd of its own for the person. `undefined`: it does not start on this machine. */
async function startManager(person: Person): Promise<Manager | undefined> {
  const command = commandOf(person);
  if (!command) return undefined;
  const run = join(person.folder, 'run');
  mkdirSync(run, { mode: 0o700 });
  const env = { XDG_RUNTIME_DIR: run };
  const manager: ChildProcess = spawn(...command, {
    env: { HOME: person.folder, PATH: process.env['PATH'], ...env },
    stdio: 'ignore',
  });
  let hasEnded = false;
  manager.once('error', () => (hasEnded = true));
  manager.once('exit', () => (hasEnded = true));
  onTestFinished(async () => {
    manager.kill('SIGTERM');
    await eventually(() => hasEnded);
  });
  const sockets = [join(run, 'systemd/private'), join(run, 'bus')];
  await eventually(() => hasEnded || sockets.every((socket) => existsSync(socket)));
  if (hasEnded) return undefined;
  return {
    env,
    systemctl(...args) {
      const all = { ...process.env, ...env };
      const { status, stdout } = spawnSync('systemctl', ['--user', ...args], {
        env: all,
        encoding: 'utf8',
      });
      return { status, stdout };
    },
  };
}

/** The unit of a process, from its cgroup. */
function unitOf(pid: number): string {
  return (
    /([\w-]+\.(?:service|scope))$/m.exec(readFileSync(`/proc/${pid}/cgroup`, 'utf8'))?.[1] ?? ''
  );
}

describe.skipIf(SYSTEMD === undefined)('a gateway under a real systemd', () => {
  it('is a service that systemd starts again, and that uninstalling stops', async (context) => {
    const person = new Person(KID);
    const manager = await startManager(person);
    if (!manager) return context.skip('systemd does not start here');
    const args = ['service', 'install', '--config', person.config];
    const installed = await person.run(args, { env: manager.env });
    expect(installed.stderr).toContain('The service runs');
    await eventually(() => person.gateways().length === 1);
    const [first] = person.gateways();
    expect(unitOf(first!)).toBe('callsign.service');

    const { client } = await person.connect({ env: manager.env });
    const kid = await pidOf(client, 'kid:pid');
    expect(unitOf(kid)).toBe('callsign.service');
    kill(first!, 'SIGKILL');
    await eventually(() => {
      const [now] = person.gateways();
      return now !== undefined && now !== first && unitOf(now) === 'callsign.service';
    });
    await eventually(async () => (await client.call('kid:pid')).error === undefined);

    // The next request of a client starts the service, and so does a person.
    const place = ['--config', person.config];
    expect((await person.run(['stop', ...place], { env: manager.env })).code).toBe(0);
    expect(manager.systemctl('is-active', 'callsign').stdout.trim()).toBe('inactive');
    expect(await pidOf(client, 'kid:pid')).not.toBe(kid);
    expect(person.gateways().map(unitOf)).toEqual(['callsign.service']);
    expect((await person.run(['restart', ...place], { env: manager.env })).code).toBe(0);
    expect(person.gateways().map(unitOf)).toEqual(['callsign.service']);

    // Clients that come while it starts do not start another gateway.
    expect((await person.run(['stop', ...place], { env: manager.env })).code).toBe(0);
    await Promise.all([0, 1, 2].map(() => person.connect({ env: manager.env })));
    await eventually(() => person.gateways().length === 1);
    expect(person.gateways().map(unitOf)).toEqual(['callsign.service']);

    const removed = await person.run(['service', 'uninstall'], { env: manager.env });
    expect(removed.code).toBe(0);
    expect(manager.systemctl('is-active', 'callsign').stdout.trim()).toBe('inactive');
    expect(await pidOf(client, 'kid:pid')).toBeGreaterThan(1);
    expect(person.gateways().map(unitOf)).toEqual([
      expect.stringMatching(/^callsign-\w+\.service$/),
    ]);
  });

  it('is the service again after an upgrade, when a newer client has connected', async (context) => {
    const person = new Person(KID);
    const manager = await startManager(person);
    if (!manager) return context.skip('systemd does not start here');
    const bin = copiedBuild(join(person.folder, 'copy'));
    const words = [bin, 'service', 'install', '--config', person.config];
    const { status } = spawnSync(process.execPath, words, { env: person.env(manager.env) });
    expect(status).toBe(0);
    const { client } = await person.connect({ bin, env: manager.env });
    const kid = await pidOf(client, 'kid:pid');
    const [first] = person.gateways();
    upgrade(bin);
    const newer = await person.connect({ bin, env: manager.env });
    await eventually(() => !person.gateways().includes(first!) && person.gateways().length === 1);
    expect(person.gateways().map(unitOf)).toEqual(['callsign.service']);
    const next = await pidOf(client, 'kid:pid');
    expect(next).not.toBe(kid);
    expect(await pidOf(newer.client, 'kid:pid')).toBe(next);
    expect(person.gateways().map(unitOf)).toEqual(['callsign.service']);
  });

  it('outlives the scope of the client that started it', async (context) => {
    const person = new Person(KID);
    const manager = await startManager(person);
    if (!manager) return context.skip('systemd does not start here');
    const scope = ['--user', '--quiet', '--scope', '--unit=client', '--collect', '--'];
    const command = [process.execPath, BIN, 'connect', '--config', person.config];
    const child = spawn('systemd-run', [...scope, ...command], { env: person.env(manager.env) });
    onTestFinished(() => void child.kill('SIGKILL'));
    const first = new LineClient(child.stdout, child.stdin, {});
    await first.handshake();
    expect(await first.tools()).toContain('kid:add');
    const kid = await pidOf(first, 'kid:pid');
    const [gateway] = person.gateways();
    expect(unitOf(gateway!)).toMatch(/^callsign-\w+\.service$/);
    expect(unitOf(child.pid!)).toBe('client.scope');

    const ended = new Promise((resolve) => child.once('exit', resolve));
    manager.systemctl('stop', 'client.scope');
    await ended;
    const { client } = await person.connect({ env: manager.env });
    expect(await pidOf(client, 'kid:pid')).toBe(kid);
    expect(person.gateways()).toEqual([gateway]);
  });
});
