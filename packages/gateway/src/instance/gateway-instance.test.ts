import { randomUUID } from 'node:crypto';

import { Membership } from '@callsign/instances';
import type { InstanceDirectory, Leases, News } from '@callsign/instances';
import { describe, expect, it, onTestFinished } from 'vitest';

import { memoryDirectory } from '../../../../test/memory/memory-directory.js';
import { memoryLeases } from '../../../../test/memory/memory-leases.js';
import { memoryNews } from '../../../../test/memory/memory-news.js';
import { isAlive } from '../../../../test/e2e/lifecycle/processes.js';
import { until } from '../../../../test/e2e/serve/until.js';
import { SYSTEM_CLOCK } from '../modules/system-clock.js';
import { configured, plain, Served } from '../testing/served.js';
import { GatewayInstance } from './gateway-instance.js';

const LEASE_MS = 1_500;
const SECRET = 'a secret that is long enough for tests';

interface Stores {
  readonly directory: InstanceDirectory;
  readonly leases: Leases;
  readonly news: News;
}

function memoryStores(): Stores {
  return {
    directory: memoryDirectory(SYSTEM_CLOCK),
    leases: memoryLeases(SYSTEM_CLOCK),
    news: memoryNews(),
  };
}

interface Running extends Served {
  readonly instance: GatewayInstance;
  readonly membership: Membership;
}

/** An instance with a server `fs`, which ends with the test. */
async function join(stores: Stores, callsign: object = {}): Promise<Running> {
  const id = randomUUID();
  const instance = new GatewayInstance({
    settings: { host: '127.0.0.1', port: 0, secrets: [SECRET] },
    storage: { ...stores, instance: id },
    self: { name: 'callsign', version: '0' },
    clock: SYSTEM_CLOCK,
    log: () => undefined,
    leaseMs: LEASE_MS,
  });
  const membership = new Membership({
    directory: stores.directory,
    clock: SYSTEM_CLOCK,
    self: { ...(await instance.listen()), id, configuration: '', version: '0', state: 'ready' },
    everyMs: 100,
  });
  await membership.open();
  instance.join(membership);
  onTestFinished(async () => {
    await membership.close();
    await instance.close();
  });
  const served = new Served(configured({ fs: plain() }, callsign), { instance });
  return Object.assign(served, { instance, membership });
}

async function joinAll(count: number, callsign?: object): Promise<Running[]> {
  const stores = memoryStores();
  const all: Running[] = [];
  for (let number = 0; number < count; number++) all.push(await join(stores, callsign));
  await Promise.all(all.map(({ gateway }) => gateway.settled()));
  return all;
}

/** Ends without notice, as after `kill -9`. The lease and the entry stay until they expire. */
async function crash({ gateway, instance }: Running, { leases }: Stores): Promise<void> {
  const { release } = leases;
  leases.release = () => new Promise(() => undefined);
  void instance.close();
  void gateway.stop();
  await until(() => gateway.status().every(({ state }) => state.is === 'stopped'));
  leases.release = release;
}

describe('a server with many instances', () => {
  it('runs on one of them, and all list and call it', async () => {
    const instances = await joinAll(3);
    const clients = await Promise.all(instances.map((instance) => instance.connect()));
    const lists = await Promise.all(clients.map((client) => client.tools()));
    expect(lists[0]!.length).toBeGreaterThan(5);
    expect(lists[1]).toEqual(lists[0]);
    expect(lists[2]).toEqual(lists[0]);
    const pids = await Promise.all(clients.map((client) => client.pid('fs')));
    expect(new Set(pids).size).toBe(1);
  });

  it('runs on each of them, if its placement says so', async () => {
    const instances = await joinAll(2, { servers: { fs: { placement: 'each' } } });
    const clients = await Promise.all(instances.map((instance) => instance.connect()));
    const pids = await Promise.all(clients.map((client) => client.pid('fs')));
    expect(new Set(pids).size).toBe(2);
  });

  it('gets what the client sent, without the data that instances add', async () => {
    const [, other] = await joinAll(2);
    const client = await other!.connect();
    const said = async (_meta?: object): Promise<unknown> => {
      const params = { name: 'fs:request', arguments: { a: 1 }, ...(_meta ? { _meta } : {}) };
      const { result } = await client.request<{ structuredContent: unknown }>('tools/call', params);
      return result;
    };
    const plainly = JSON.stringify(await said());
    expect(plainly).not.toContain('callsign');
    expect(JSON.stringify(await said({ 'x/y': 'kept' }))).toContain('x/y');
  });

  it('is called by stateless clients of any instance too', async () => {
    const instances = await joinAll(2);
    const key = 'io.modelcontextprotocol';
    const meta = {
      [`${key}/protocolVersion`]: '2026-07-28',
      [`${key}/clientInfo`]: { name: 'test', version: '1' },
      [`${key}/clientCapabilities`]: {},
    };
    for (const instance of instances) {
      const client = await instance.connect();
      const params = { name: 'fs:echo', arguments: { a: 1 }, _meta: meta };
      expect(await client.request('tools/call', params)).toMatchObject({
        result: { structuredContent: { a: 1 } },
      });
    }
  });

  it('notifies all of them that its list has changed, and reports progress', async () => {
    const [, other] = await joinAll(2);
    const client = await other!.connect();
    await client.tools();
    await client.call('fs:add_tool', { name: 'later' });
    await until(() => client.heard.includes('notifications/tools/list_changed'));
    expect(await client.toolNames()).toContain('fs:later');
    const params = { name: 'fs:progress', arguments: {}, _meta: { progressToken: 'p' } };
    await client.request('tools/call', params);
    expect(client.lines.some((line) => line.includes('"progressToken":"p"'))).toBe(true);
  });

  it('moves to another instance when its instance leaves, and calls wait for it', async () => {
    const [holder, other] = await joinAll(2);
    const client = await other!.connect();
    const before = await client.pid('fs');
    const left = holder!.gateway.stop().then(() => holder!.membership.close());
    await until(() => !isAlive(before));
    const after = await client.pid('fs');
    expect(after).not.toBe(before);
    await left;
    expect(await client.pid('fs')).toBe(after);
  });

  it('is handed over: calls under way finish, and new ones wait for the next instance', async () => {
    const [holder, other, third] = await joinAll(3);
    const [near, far] = [await holder!.connect(), await other!.connect()];
    const before = await far.pid('fs');
    const nearCall = near.call('fs:sleep', { ms: 1_000 });
    const farCall = far.call('fs:sleep', { ms: 1_500 });
    const calls = async (): Promise<unknown> =>
      (await near.call('fs:calls')).result?.structuredContent?.['calls'];
    await until(async () => Number(await calls()) >= 3);
    await until(() => holder!.membership.instances.length === 3);
    const handed = holder!.gateway.handOver(10_000);
    // These came after the hand-over had begun. One instance has not heard of it.
    const late = await Promise.all([far, await third!.connect()].map((client) => client.pid('fs')));
    expect(isAlive(before)).toBe(false);
    expect(new Set(late).size).toBe(1);
    expect((await nearCall).error).toBeUndefined();
    expect((await farCall).error).toBeUndefined();
    await handed;
    expect(await near.pid('fs')).toBe(late[0]);
  });

  it('hears of no call that comes to the instance which has handed it over', async () => {
    const [holder, other] = await joinAll(2);
    const client = await other!.connect();
    await client.pid('fs');
    await until(() => holder!.membership.instances.length === 2);
    await holder!.gateway.handOver(10_000);
    const echoes = Array.from({ length: 20 }, (_, n) => client.call('fs:echo', { n }));
    for (const [n, echo] of (await Promise.all(echoes)).entries()) {
      expect(echo.result?.structuredContent).toEqual({ n });
    }
    const { result } = await client.call('fs:calls');
    // The server counts its calls: those of this client, this one included, and no other.
    expect(result?.structuredContent).toEqual({ calls: 21 });
  });

  it('is replaced on its instance without a failed call of another', async () => {
    const [holder, other] = await joinAll(2);
    const client = await other!.connect();
    const before = await client.pid('fs');
    const underWay = client.call('fs:sleep', { ms: 1_500 });
    const calls = async (): Promise<unknown> =>
      (await client.call('fs:calls')).result?.structuredContent?.['calls'];
    await until(async () => Number(await calls()) >= 3);
    expect(holder!.gateway.servers.restart('fs')).toBe(true);
    await until(async () => (await client.pid('fs')) !== before);
    expect((await underWay).error).toBeUndefined();
  });

  it('stays where it is if there is no other instance', async () => {
    const [only] = await joinAll(1);
    const client = await only!.connect();
    const before = await client.pid('fs');
    await only!.gateway.handOver(10_000);
    expect(await client.pid('fs')).toBe(before);
  });

  it('moves to another instance when its instance is lost, after its lease has ended', async () => {
    const stores = memoryStores();
    const holder = await join(stores);
    await holder.gateway.settled();
    const other = await join(stores);
    await other.gateway.settled();
    const client = await other.connect();
    const before = await client.pid('fs');
    await crash(holder, stores);
    const after = await client.pid('fs');
    expect(after).not.toBe(before);
    expect(isAlive(after)).toBe(true);
  });

  it('fails calls of others with what is known, when its instance loses the lease (L13)', async () => {
    const stores = memoryStores();
    const holder = await join(stores);
    await holder.gateway.settled();
    const other = await join(stores);
    await other.gateway.settled();
    const client = await other.connect();
    const before = await client.pid('fs');
    const underWay = client.call('fs:sleep', { ms: 600_000 });
    const calls = async (): Promise<unknown> =>
      (await client.call('fs:calls')).result?.structuredContent?.['calls'];
    await until(async () => Number(await calls()) > 1);
    stores.leases.renew = () => Promise.resolve(false);
    const { error } = await underWay;
    expect(error!.message).toContain('lost its lease of the server before it answered');
    expect(error!.message).not.toContain('ended');
    await until(() => !isAlive(before));
  });

  it('names no address of an instance in an error for callers (L9)', async () => {
    const stores = memoryStores();
    const holder = await join(stores);
    await holder.gateway.settled();
    const other = await join(stores);
    await other.gateway.settled();
    const client = await other.connect();
    await client.pid('fs');
    const { address } = holder.membership.self;
    const underWay = client.call('fs:sleep', { ms: 600_000 });
    const calls = async (): Promise<unknown> =>
      (await client.call('fs:calls')).result?.structuredContent?.['calls'];
    await until(async () => Number(await calls()) > 1);
    // The connections break at once, without an answer.
    void holder.instance.close();
    const { error } = await underWay;
    expect(error!.message).toContain('"fs"');
    const place = new URL(address).host;
    expect(JSON.stringify(error)).not.toContain(place);
    expect(JSON.stringify(other.gateway.status())).not.toContain(place);
  });

  it('cancels calls when a client of another instance disconnects', async () => {
    const [, other] = await joinAll(2);
    const client = await other!.connect();
    // The first request after the handshake.
    void client.call('fs:sleep', { ms: 600_000 });
    const calls = async (): Promise<unknown> =>
      (await client.call('fs:calls')).result?.structuredContent?.['calls'];
    await until(async () => Number(await calls()) > 1);
    client.notify('notifications/cancelled', { requestId: 2 });
    const cancelled = async (): Promise<unknown> =>
      (await client.call('fs:cancelled')).result?.structuredContent?.['ids'];
    await until(async () => ((await cancelled()) as number[]).length === 1);
  });
});
