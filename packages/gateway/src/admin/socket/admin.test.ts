/** The admin socket of a running gateway, over real sockets. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { stateFolder } from '@callsign/config';
import { Approvals, localQueue } from '@callsign/governance';
import { describe, expect, it, onTestFinished } from 'vitest';

import { HandClock } from '../../../../../test/testing/hand-clock.js';
import { scratch } from '../../../../../test/testing/scratch.js';
import { AdminError } from '../router/admin-error.js';
import { AdminRouter } from '../router/admin-router.js';
import { decideApproval, listApprovals, serveApprovals } from '../routes/approval-routes.js';
import { serveCalls } from '../routes/call-routes.js';
import { adminAddresses } from './admin-address.js';
import { findGateways } from './admin-client.js';
import { askAdmin } from './admin-request.js';
import { AdminServer } from './admin-server.js';

const isRoot = process.getuid?.() === 0;

function folder(): string {
  const path = scratch();
  return path;
}

interface Opened {
  readonly address: string;
  readonly router: AdminRouter;
  readonly server: AdminServer;
}

async function opened(state: string, pid = process.pid, config = '/c.json'): Promise<Opened> {
  const router = new AdminRouter();
  const server = new AdminServer({ identity: { pid, config, version: '1' }, router, state });
  const address = await server.open();
  onTestFinished(() => server.close());
  return { address, router, server };
}

/** A process that listens at an address as a gateway would, and does nothing else. */
async function listener(address: string): Promise<ReturnType<typeof spawn>> {
  const script = `require('net').createServer().listen(${JSON.stringify(address)}, () => console.log('up'))`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  await once(child.stdout!, 'data');
  return child;
}

describe('the admin listener of a gateway', () => {
  it('is open only to its owner', async () => {
    const state = folder();
    const { address } = await opened(state);
    const modes = [join(state, 'run'), address].map((path) => statSync(path).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600]);
  });

  it('closes its folder to other users if it was open', async () => {
    const state = folder();
    mkdirSync(join(state, 'run'));
    chmodSync(join(state, 'run'), 0o777);
    await opened(state);
    expect(statSync(join(state, 'run')).mode & 0o777).toBe(0o700);
  });

  it.runIf(isRoot)('does not open for another user', async () => {
    const state = folder();
    chmodSync(state, 0o777);
    const { address } = await opened(state);
    const script = `require('net').connect(${JSON.stringify(address)}).on('connect', () => process.exit(0)).on('error', (e) => { console.log(e.code); process.exit(1); })`;
    const other = spawnSync(process.execPath, ['-e', script], {
      uid: 65_534,
      gid: 65_534,
      cwd: '/',
    });
    expect([other.status, String(other.stdout).trim()]).toEqual([1, 'EACCES']);
  });

  it.runIf(isRoot)(
    'does not use or read a folder of another user, who could impersonate a gateway',
    async () => {
      const state = folder();
      mkdirSync(join(state, 'run'));
      chownSync(join(state, 'run'), 65_534, 65_534);
      await expect(opened(state)).rejects.toThrow('must be a folder that you own');
      await expect(findGateways({ state })).rejects.toThrow('must be a folder that you own');
    },
  );

  it('refuses a folder that is a link', async () => {
    const state = folder();
    symlinkSync(folder(), join(state, 'run'));
    await expect(opened(state)).rejects.toThrow('must be a folder that you own');
  });

  it('is in another folder if its path is too long', async () => {
    const state = join(folder(), 'x'.repeat(100));
    const { address } = await opened(state);
    expect(Buffer.byteLength(address)).toBeLessThan(104);
    expect(await adminAddresses(state)).toEqual([address]);
    onTestFinished(() => rmSync(dirname(address), { recursive: true }));
  });

  it('removes its socket when it is closed', async () => {
    const { address, server } = await opened(folder());
    await server.close();
    await server.close();
    expect(existsSync(address)).toBe(false);
  });

  it('removes the sockets of killed gateways, and nothing else', async () => {
    const state = folder();
    await opened(state, 1_000_001);
    const [dead, busy] = ['1000002', '1000003'].map((pid) => join(state, 'run', `${pid}.sock`));
    const killed = await listener(dead!);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    const stopped = await listener(busy!);
    stopped.kill('SIGSTOP');
    writeFileSync(join(state, 'run', 'notes.txt'), 'mine');
    expect(existsSync(dead!)).toBe(true);
    await opened(state, 1_000_004);
    expect(existsSync(dead!)).toBe(false);
    expect(existsSync(busy!)).toBe(true);
    expect(existsSync(join(state, 'run', 'notes.txt'))).toBe(true);
  });

  it('replaces the socket of a dead process with the same id', async () => {
    const state = folder();
    mkdirSync(join(state, 'run'), { mode: 0o700 });
    const killed = await listener(join(state, 'run', `${process.pid}.sock`));
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    const { address } = await opened(state);
    expect(await askAdmin(address, 'GET', '/')).toMatchObject({ ok: true, status: 200 });
  });
});

describe('a request', () => {
  it.each([
    ['GET', '/nothing', undefined, 404, 'There is no path /nothing.'],
    ['POST', '/echo', undefined, 405, '/echo does not allow POST.'],
    ['GET', '/broken', undefined, 500, 'a fault'],
    ['GET', '/things/%E0%A4%A', undefined, 400, 'URI malformed'],
    ['POST', '/things/1', 'x'.repeat(5_000_000), 413, 'A request may have at most 4194304 bytes.'],
  ])('%s %s is refused with a reason', async (method, path, body, status, error) => {
    const { address, router } = await opened(folder());
    router.on('GET', '/echo', () => 1);
    router.on('GET', '/broken', () => Promise.reject(new Error('a fault')));
    router.on('GET', '/things/:id', () => 1);
    router.on('POST', '/things/:id', () => 1);
    expect(await askAdmin(address, method, path, body)).toEqual({
      ok: true,
      status,
      body: { error },
    });
  });

  it('has the values of its path, its query and its body', async () => {
    const { address, router } = await opened(folder());
    router.on('POST', '/things/:id', ({ params, query, body }) => [...params, ...query, body]);
    const reply = await askAdmin(address, 'POST', '/things/a%2Fb?x=1', { y: 2 });
    expect(reply).toMatchObject({ body: [['id', 'a/b'], ['x', '1'], { y: 2 }] });
  });

  it('gets an answer that is as long as the lists of several servers', async () => {
    const { address, router } = await opened(folder());
    const tools = Array.from({ length: 12_000 }, () => 'x'.repeat(3_000));
    router.on('GET', '/tools', () => tools);
    const reply = await askAdmin(address, 'GET', '/tools');
    expect(reply).toMatchObject({ ok: true, status: 200 });
    expect('body' in reply && (reply.body as string[]).length).toBe(12_000);
  });
});

describe('running gateways', () => {
  it('are found by their file, in any spelling of its path', async () => {
    const state = folder();
    const files = folder();
    const [real, link] = [join(files, 'real.json'), join(files, 'link.json')];
    writeFileSync(real, '{}');
    symlinkSync(real, link);
    await opened(state, 1_000_001, real);
    await opened(state, 1_000_002, '/other.json');
    const pids = async (config?: string) =>
      (await findGateways({ state, ...(config === undefined ? {} : { config }) })).map(
        ({ identity }) => identity.pid,
      );
    expect(await pids()).toEqual([1_000_001, 1_000_002]);
    expect(await pids(link)).toEqual([1_000_001]);
    expect(await pids('/nowhere.json')).toEqual([]);
  });

  it('that have ended meanwhile are reported', async () => {
    const state = folder();
    const { server } = await opened(state);
    const [client] = await findGateways({ state });
    await server.close();
    await expect(client!.get('/')).rejects.toThrow(AdminError);
    expect(await findGateways({ state })).toEqual([]);
  });
});

describe('approvals through the admin listener', () => {
  const summary = {
    tool: 's:t',
    title: 'T',
    effect: 'Deletes.',
    arguments: '{}',
    hidden: [],
    rule: 'r',
  };
  const request = {
    summary,
    caller: { name: undefined, client: 'c' },
    timeoutMs: 1_000,
    furthest: 'once',
    wholeArguments: () => ({ arguments: '{}', hidden: [] }),
  } as const;

  async function gateways() {
    const state = folder();
    const queues = [new HandClock(), new HandClock()].map((clock) => new Approvals({ clock }));
    for (const [i, approvals] of queues.entries()) {
      const { router } = await opened(state, 1_000_001 + i, `/${i}.json`);
      serveApprovals(router, localQueue(approvals));
    }
    return { queues, clients: await findGateways({ state }) };
  }

  it('are listed for all gateways, and decided at the gateway where they wait', async () => {
    const { queues, clients } = await gateways();
    const [first, second] = queues.map((approvals) => approvals.request(request));
    const all = await listApprovals(clients);
    expect(all.map(({ tool, gateway }) => [tool, gateway.config])).toEqual([
      ['s:t', '/0.json'],
      ['s:t', '/1.json'],
    ]);
    await decideApproval(clients, all[1]!.id, { approve: true });
    await decideApproval(clients, all[0]!.id, { approve: false, reason: 'no' });
    expect(await second!.answer).toEqual({ scope: 'once' });
    expect(await first!.answer).toEqual({ refusal: 'the operator denied it: no' });
    expect(await listApprovals(clients)).toEqual([]);
  });

  it('that no longer wait are reported', async () => {
    const { clients } = await gateways();
    await expect(decideApproval(clients, 'a/../b', { approve: true })).rejects.toThrow(
      'No call is waiting under a/../b. See: callsign approvals list',
    );
  });

  it.each([undefined, {}, { approve: 'yes' }, { approve: 1 }, [], { approve: true, x: 1 }])(
    'are not decided by %o',
    async (body) => {
      const { queues, clients } = await gateways();
      queues[0]!.request(request);
      const { id } = queues[0]!.pending[0]!;
      await expect(clients[0]!.post(`/approvals/${id}`, body)).rejects.toThrow(
        'Send a decision about',
      );
      expect(queues[0]!.pending.length).toBe(1);
    },
  );
});

describe('an invalid call', () => {
  const call = {
    name: 's:t',
    canonical: 's:t',
    args: '{}',
    client: { name: 'c', version: '1' },
    canAsk: false,
    isApproved: false,
  };

  it.each([
    undefined,
    {},
    { ...call, args: '{},"x":1' },
    { ...call, args: '[]' },
    { ...call, x: 1 },
  ])('is refused: %o', async (body) => {
    const router = new AdminRouter();
    // No such request reaches the gateway.
    serveCalls(router, undefined as never);
    const { status } = await router.answer('POST', '/calls', body);
    expect(status).toBe(400);
    expect((await router.answer('POST', '/calls/x/1', { ok: true, json: '{}' })).status).toBe(404);
  });
});

describe('the folder for state', () => {
  it.each([
    ['linux', {}, '/home/ann', '/home/ann/.local/state/callsign'],
    ['linux', { XDG_STATE_HOME: '/var/state' }, '/home/ann', '/var/state/callsign'],
    ['linux', { XDG_STATE_HOME: 'relative' }, '/home/ann', '/home/ann/.local/state/callsign'],
    ['darwin', {}, '/Users/ann', '/Users/ann/Library/Application Support/callsign'],
    ['win32', { LOCALAPPDATA: 'C:\\L' }, 'C:\\Users\\ann', 'C:\\L\\callsign'],
    ['win32', {}, 'C:\\Users\\ann', 'C:\\Users\\ann\\AppData\\Local\\callsign'],
  ] as const)('on %s with %o is the default of the system', (platform, env, home, expected) => {
    expect(stateFolder({ platform, env, home })).toBe(expected);
  });
});
