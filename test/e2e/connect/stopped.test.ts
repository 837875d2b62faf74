/** Processes that stand still for longer than a call may take, as all do on a machine that hangs, and then go on. */

import { describe, expect, it } from 'vitest';

import { eventually, pause, plain } from '../gateway-process.js';
import type { LineClient } from '../lifecycle/raw-client.js';
import { kill, Person, pidOf } from './person.js';

/** More than twice the limit of a call. */
const STOPPED_MS = 130_000;

/** Stops processes, asks for a sum meanwhile, and lets them go on. Resolves with the answer of the sum. */
async function stopped(
  pids: readonly number[],
  client: LineClient,
  meanwhile: () => Promise<void> = async () => undefined,
): ReturnType<LineClient['call']> {
  const begun = Date.now();
  for (const pid of pids) kill(pid, 'SIGSTOP');
  const asked = client.call('kid:add', { a: 20, b: 3 });
  await meanwhile();
  await pause(STOPPED_MS - (Date.now() - begun));
  for (const pid of pids) kill(pid, 'SIGCONT');
  return await asked;
}

/** All clients get right answers from one gateway and one server, and nothing is left when they have gone. */
async function isInOrder(person: Person, clients: readonly LineClient[]): Promise<void> {
  const pids = new Set<number>();
  for (const [i, client] of clients.entries()) {
    const { structuredContent } = await client.result('kid:add', { a: i, b: 100 });
    expect(structuredContent).toEqual({ sum: i + 100 });
    pids.add(await pidOf(client, 'kid:pid'));
    expect(client.noise).toEqual([]);
    // A second answer to a request would be here.
    expect(client.received.filter(({ method }) => method === undefined)).toEqual([]);
  }
  expect(pids.size).toBe(1);
  expect(person.gateways()).toHaveLength(1);
  for (const client of clients) client.close();
  await eventually(() => person.processes().length === 0);
}

const newPerson = (): Person => new Person({ kid: plain() }, { background: { stopAfterMs: 500 } });

/** Two clients, and the processes: the first one's `connect`, the gateway and the server. */
interface Scene {
  readonly person: Person;
  readonly clients: readonly [LineClient, LineClient];
  readonly relay: number;
  readonly gateway: number;
  readonly server: number;
}

async function newScene(): Promise<Scene> {
  const person = newPerson();
  const [a, b] = [await person.connect(), await person.connect()];
  await b.client.tools();
  const server = await pidOf(a.client, 'kid:pid');
  const [gateway] = person.gateways();
  return {
    person,
    clients: [a.client, b.client],
    relay: a.process.pid!,
    gateway: gateway!,
    server,
  };
}

const SUM = { structuredContent: { sum: 23 } };

async function allStopped(): Promise<void> {
  const { person, clients, gateway } = await newScene();
  const open = clients[1].call('kid:sleep', { ms: 5_000 });
  await pause(500);
  expect((await stopped(person.processes(), clients[0])).result).toMatchObject(SUM);
  expect(JSON.stringify(await open)).toMatch(/Slept 5000 ms|did not answer within 60 s/);
  expect(person.gateways()).toEqual([gateway]);
  await isInOrder(person, clients);
}

async function gatewayStopped(): Promise<void> {
  const { person, clients, gateway } = await newScene();
  const answer = await stopped([gateway], clients[0], async () => {
    // Another client does not wait for it.
    const other = await person.connect({ env: { CALLSIGN_CONNECT_MS: '5000' } });
    expect(other.stderr()).toContain('a gateway of its own');
    expect((await other.client.call('kid:add', { a: 20, b: 3 })).result).toMatchObject(SUM);
    other.client.close();
    await other.ended;
  });
  expect(answer.result).toMatchObject(SUM);
  expect(person.gateways()).toEqual([gateway]);
  await isInOrder(person, clients);
}

async function serverStopped(): Promise<void> {
  const { person, clients, server } = await newScene();
  const { error } = await stopped([server], clients[0]);
  expect(error?.message).toContain('did not answer within 60 s');
  await isInOrder(person, clients);
}

async function relayStopped(): Promise<void> {
  const { person, clients, relay, gateway } = await newScene();
  const answer = await stopped([relay], clients[0], async () => {
    // The others go on.
    expect((await clients[1].call('kid:add', { a: 20, b: 3 })).result).toMatchObject(SUM);
  });
  expect(answer.result).toMatchObject(SUM);
  expect(person.gateways()).toEqual([gateway]);
  await isInOrder(person, clients);
}

describe.skipIf(process.platform !== 'linux')('after processes stood still for minutes', () => {
  it('clients get right answers, and nothing is left', { timeout: 400_000 }, async () => {
    // All at the same time, because each takes minutes.
    await Promise.all([allStopped(), gatewayStopped(), serverStopped(), relayStopped()]);
  });
});
