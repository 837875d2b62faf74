/** What must not reach the clients of a shared gateway: ends of gateways at bad moments, and what other clients leave behind. */

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';

import { prepareSocketFolder } from '@callsign/config';
import { describe, expect, it, onTestFinished } from 'vitest';

import { answerHello } from '../../../packages/cli/src/connect/hello.js';
import { goodbyeLine } from '../../../packages/cli/src/connect/relay.js';
import { sharedKey } from '../../../packages/cli/src/connect/shared-gateway.js';
import { CAN_MOUNT, SmallDisk } from '../../testing/small-disk.js';
import { eventually, pause, plain } from '../gateway-process.js';
import { kill, Person, pidOf } from './person.js';

const KID = { kid: plain() };

/** Stands where the gateway of a person listens, until so many connections were handled. */
async function standIn(
  person: Person,
  times: number,
  handle: (socket: Socket, key: Buffer) => void,
): Promise<void> {
  const { state, address } = person.shared;
  const key = sharedKey(state);
  prepareSocketFolder(state);
  let handled = 0;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    if (++handled === times) server.close();
    handle(socket, key);
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((done) => server.listen(address, done));
}

describe.skipIf(process.platform !== 'linux')('a client', () => {
  it('gets the shared gateway though another one ended during the hello', async () => {
    const person = new Person(KID);
    await standIn(person, 2, (socket) => socket.once('data', () => socket.destroy()));
    const { client, stderr } = await person.connect();
    expect(await client.tools()).toContain('kid:add');
    expect(stderr()).toBe('');
    expect(person.gateways()).toHaveLength(1);
  });

  it.each([1, 3])(
    'gets the answer to its handshake though %i gateways ended before they gave it',
    async (times) => {
      const person = new Person(KID);
      await standIn(person, times, (socket, key) => {
        const leave = (): void => void socket.once('data', () => socket.destroy());
        void answerHello(socket, key, '0.0.0', () => undefined).then(leave, () => undefined);
      });
      const { client, stderr } = await person.connect();
      expect(await client.result('kid:add', { a: 1, b: 2 })).toMatchObject({
        structuredContent: { sum: 3 },
      });
      expect(client.received.filter(({ method }) => method === undefined)).toEqual([]);
      expect(stderr()).toBe('');
    },
  );

  it('gets the shared gateway though the first one that it started was killed', async () => {
    const person = new Person(KID);
    const { client, stderr } = person.open();
    await eventually(() => person.gateways().length === 1);
    kill(person.gateways()[0]!, 'SIGKILL');
    expect((await client.handshake()).error).toBeUndefined();
    expect(await client.tools()).toContain('kid:add');
    expect(stderr()).toBe('');
  });

  it('gets the shared gateway though the file was incomplete while the first one read it', async () => {
    const person = new Person(KID);
    const whole = readFileSync(person.config);
    writeFileSync(person.config, '{ "mcpServers": {');
    const { client, stderr } = person.open();
    await eventually(() => person.log().includes('The configuration has a problem'));
    writeFileSync(person.config, whole);
    expect((await client.handshake()).error).toBeUndefined();
    expect(await client.tools()).toContain('kid:add');
    expect(stderr()).toBe('');
    expect(person.gateways()).toHaveLength(1);
  });

  it('ends if the next gateway speaks another version of the protocol', async () => {
    const person = new Person(KID);
    await standIn(person, 1, (socket, key) => {
      const greet = (chunk: Buffer): void => {
        const { id } = JSON.parse(String(chunk).split('\n')[0]!) as { id: number };
        const serverInfo = { name: 'x', version: '1' };
        const result = { protocolVersion: '2024-11-05', capabilities: {}, serverInfo };
        socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
        setTimeout(() => socket.destroy(), 200);
      };
      const serve = (): void => void socket.once('data', greet);
      void answerHello(socket, key, '0.0.0', () => undefined).then(serve, () => undefined);
    });
    const { ended, stderr } = await person.connect();
    expect(await ended).toBe(4);
    expect(stderr()).toContain('speaks another version of the protocol. Restart the client.');
  });

  it.skipIf(!CAN_MOUNT)('is served on a full disk, and the gateway can be stopped', async () => {
    const person = new Person(KID);
    const disk = new SmallDisk();
    const env = { XDG_STATE_HOME: disk.folder };
    disk.fill();
    const { client } = await person.connect({ env });
    expect(await client.result('kid:add', { a: 1, b: 2 })).toMatchObject({
      structuredContent: { sum: 3 },
    });
    disk.free();
    const next = await person.connect({ env });
    expect(await next.client.tools()).toContain('kid:add');
    for (const each of [client, next.client]) each.close();
    expect((await person.run(['stop', '--all'], { env })).code).toBe(0);
  });

  it('finds all tools at its second start though the first client left at once (R5)', async () => {
    const person = new Person({ slow: plain('--delay-start=1500'), kid: plain() });
    const first = await person.connect();
    first.client.close();
    await first.ended;
    const offers = join(person.shared.state, 'offers');
    await eventually(() => existsSync(offers) && readdirSync(offers).length === 2);
    await person.run(['stop', '--config', person.config]);
    const second = await person.connect();
    const tools = await second.client.tools();
    expect(tools).toContain('slow:add');
    expect(tools).toContain('kid:add');
  });

  it('is heard again after a gateway was stopped that did not read', async () => {
    const person = new Person(KID);
    await standIn(person, 1, (socket, key) => {
      const greet = (chunk: Buffer): void => {
        const { id } = JSON.parse(String(chunk).split('\n')[0]!) as { id: number };
        const serverInfo = { name: 'x', version: '1' };
        const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
        socket.on('data', stopReading);
        socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
      };
      // Once the call has begun to arrive: a call that begins after the goodbye goes to the next gateway.
      const stopReading = (chunk: Buffer): void => {
        if (!chunk.includes('kid:echo')) return;
        socket.pause();
        setTimeout(() => socket.write(goodbyeLine(true), () => socket.destroy()), 1_000);
      };
      const serve = (): void => void socket.once('data', greet);
      void answerHello(socket, key, '0.0.0', () => undefined).then(serve, () => undefined);
    });
    const { client } = await person.connect();
    // More than the buffers hold.
    const lost = await client.call('kid:echo', { text: 'x'.repeat(4_000_000) });
    expect(lost.error?.message).toContain('It is not known whether it took effect');
    expect(await client.tools()).toContain('kid:add');
  });

  it('never uses the value of a client that has left, even if the file cannot be read again', async () => {
    const entry = { kid: { ...plain(), env: { TOKEN: '${MY_TOKEN}' } } };
    const person = new Person(entry);
    const tokenOf = async (client: { result(name: string): Promise<unknown> }) =>
      /TOKEN[^a-z]+([a-z]+-token)/.exec(JSON.stringify(await client.result('kid:env')))?.[1];
    const first = await person.connect({ env: { MY_TOKEN: 'first-token' } });
    const other = await person.connect({ env: { MY_TOKEN: 'other-token' } });
    expect(await tokenOf(first.client)).toBe('first-token');
    expect(await tokenOf(other.client)).toBe('other-token');
    writeFileSync(person.config, '{ "mcpServers": ');
    first.client.close();
    await first.ended;
    const late = await person.connect({ env: { MY_TOKEN: 'other-token' } });
    expect(await tokenOf(late.client)).toBe('other-token');
    expect(await tokenOf(other.client)).toBe('other-token');
  });
});

describe.skipIf(process.platform !== 'linux')('a gateway in the background', () => {
  it('leaves its clients to the gateway that took its place, and does not remove its socket', async () => {
    const person = new Person(KID);
    const a = await person.connect();
    await pidOf(a.client, 'kid:pid');
    const [old] = person.gateways();
    kill(old!, 'SIGSTOP');
    rmSync(person.shared.address);
    const b = await person.connect();
    const pid = await pidOf(b.client, 'kid:pid');
    kill(old!, 'SIGCONT');
    await eventually(() => !person.gateways().includes(old!));
    expect(person.gateways()).toHaveLength(1);
    const c = await person.connect();
    for (const { client } of [a, b, c]) expect(await pidOf(client, 'kid:pid')).toBe(pid);
  });

  it('answers every call that comes while it is restarted', async () => {
    const person = new Person(KID);
    const { client } = await person.connect();
    const before = await pidOf(client, 'kid:pid');
    const over = new AbortController();
    const errors: unknown[] = [];
    let answers = 0;
    const callAlong = async (): Promise<void> => {
      while (!over.signal.aborted) {
        const { error, result } = await client.call('kid:add', { a: 1, b: 1 });
        answers += 1;
        if (!result) errors.push(error);
      }
    };
    const calls = Array.from({ length: 8 }, callAlong);
    for (let i = 0; i < 3; i += 1) {
      expect((await person.run(['restart', '--config', person.config])).code).toBe(0);
    }
    over.abort();
    await Promise.all(calls);
    expect(errors).toEqual([]);
    expect(answers).toBeGreaterThan(8);
    expect(await pidOf(client, 'kid:pid')).not.toBe(before);
  });

  it('does not listen again while it waits for its last calls', async () => {
    const person = new Person(KID);
    const { client } = await person.connect();
    const until = join(person.folder, 'done');
    const asked = client.call('kid:sleep', { until });
    await client.tools();
    const stopped = person.run(['stop', '--config', person.config]);
    await eventually(() => !existsSync(person.shared.address));
    // Longer than between two looks at the socket.
    await pause(3_000);
    expect(existsSync(person.shared.address)).toBe(false);
    writeFileSync(until, '');
    expect((await asked).error).toBeUndefined();
    expect((await stopped).code).toBe(0);
  });

  it('lets a server sleep that has nothing to do, until it is called', async () => {
    const person = new Person(KID, { servers: { kid: { idleStopMs: 200 } } });
    const { client } = await person.connect();
    const before = await pidOf(client, 'kid:pid');
    await eventually(() => !person.processes().includes(before));
    // The gateway and `connect`.
    await pause(1_000);
    expect(person.processes()).toHaveLength(2);
    expect(person.log()).not.toContain('starting again');
    expect(await pidOf(client, 'kid:pid')).not.toBe(before);
  });
});
