/** `callsign connect` and the shared gateway among programs, files and clients that do not behave. */

import { rmSync, statSync, writeFileSync } from 'node:fs';
import { connect as openSocket, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { HANDSHAKE, sayHello } from '../../../packages/cli/src/connect/hello.js';
import { sharedKey } from '../../../packages/cli/src/connect/shared-gateway.js';
import { prepareSocketFolder } from '../../../packages/config/src/files/socket-folder.js';
import { eventually, pause, plain } from '../gateway-process.js';
import { kill, Person, pidOf } from './person.js';

const KID = { kid: plain() };

/** A connection to the gateway that says these lines, and keeps its own end open. */
function intruder({ shared }: Person, ...lines: string[]): Socket {
  const socket = openSocket({ path: shared.address, allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined).resume();
  for (const line of lines) socket.write(`${line}\n`);
  return socket;
}

describe.skipIf(process.platform !== 'linux')('the shared gateway', () => {
  it('does not end for a newer handshake of a program without the key', async () => {
    const person = new Person(KID);
    const { client } = await person.connect();
    const pid = await pidOf(client, 'kid:pid');
    const newer = { handshake: HANDSHAKE + 1, nonce: 'x' };
    intruder(person, JSON.stringify(newer), '{"proof":"00"}');
    await eventually(() => person.log().includes('does not know the key'));
    expect(person.log()).not.toContain('A newer version has connected');
    expect(await pidOf((await person.connect()).client, 'kid:pid')).toBe(pid);
  });

  it('ends after its calls for a newer handshake with the key', async () => {
    const person = new Person(KID);
    await person.connect();
    const [gateway] = person.gateways();
    const { config, address, state } = person.shared;
    const socket = openSocket(address);
    onTestFinished(() => void socket.destroy());
    const hello = { version: '1.0.0', config, folder: '/', env: {}, command: [] };
    const said = sayHello(socket, sharedKey(state), hello, HANDSHAKE + 1);
    await expect(said).rejects.toThrow(`speaks handshake ${HANDSHAKE}`);
    await eventually(() => !person.gateways().includes(gateway!));
  });

  it('closes the connection of a program that it refuses', async () => {
    const person = new Person(KID);
    await person.connect();
    const first = JSON.stringify({ handshake: HANDSHAKE, nonce: 'x' });
    const refused = [
      intruder(person, 'garbage'),
      intruder(person, first, '{"proof":"00"}'),
      intruder(person, 'x'.repeat(8 * 1024 * 1024)),
    ];
    await eventually(() => refused.every((socket) => socket.readableEnded || socket.destroyed));
    // A connection that is only half closed would take this without an error.
    await eventually(() => {
      for (const socket of refused) if (!socket.destroyed) socket.write('more\n');
      return refused.every((socket) => socket.destroyed);
    });
  });

  it('refuses a hello whose variables are no text', async () => {
    const person = new Person(KID);
    const { client } = await person.connect();
    const { config, address, state } = person.shared;
    const wrong = { version: '1.0.0', config, folder: '/', command: [] };
    for (const env of [{ PATH: 1 }, JSON.parse('{"__proto__":{"HOME":"/x"}}'), ['a', 1]]) {
      const socket = openSocket(address);
      onTestFinished(() => void socket.destroy());
      await expect(sayHello(socket, sharedKey(state), { ...wrong, env })).rejects.toThrow();
    }
    expect(await client.tools()).toContain('kid:add');
    expect(person.log()).not.toContain('Unexpected error');
  });

  it('leaves the socket to another gateway that took its place', async () => {
    const person = new Person(KID);
    await person.connect();
    rmSync(person.shared.address);
    await person.connect();
    const inode = (): number | undefined =>
      statSync(person.shared.address, { throwIfNoEntry: false })?.ino;
    // Each gateway looks every two seconds.
    const seen = new Set<number | undefined>();
    await pause(2_500);
    for (let looks = 0; looks < 60; looks++, await pause(100)) seen.add(inode());
    expect(seen.size).toBe(1);
    expect(seen).not.toContain(undefined);
  });
});

describe.skipIf(process.platform !== 'linux')('a client of the shared gateway', () => {
  it('starts another gateway if the one that it greets is just ending', async () => {
    const person = new Person(KID);
    sharedKey(person.shared.state);
    prepareSocketFolder(person.shared.state);
    const ending = createServer((peer) => {
      ending.close();
      peer.destroy();
    });
    await new Promise<void>((done) => ending.listen(person.shared.address, done));
    const { client, stderr } = await person.connect();
    expect(await client.tools()).toContain('kid:add');
    expect(stderr()).toBe('');
    expect(person.gateways()).toHaveLength(1);
  });

  it('gets the answer to its handshake from the next gateway if the first one is killed', async () => {
    const person = new Person(KID);
    const { client, process: relay } = person.open();
    // The gateway answers before the handshake too.
    await client.request('ping');
    const [gateway] = person.gateways();
    kill(gateway!, 'SIGSTOP');
    const shaken = client.handshake();
    await pause(300);
    kill(gateway!, 'SIGKILL');
    const { result, error } = await shaken;
    expect(error).toBeUndefined();
    expect(result).toMatchObject({ protocolVersion: '2025-11-25' });
    expect(await client.tools()).toContain('kid:add');
    expect(relay.exitCode).toBeNull();
  });

  it('may begin with a byte order mark, and end lines with CRLF', async () => {
    const person = new Person(KID);
    const { client, process: relay } = person.open();
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    const first = { jsonrpc: '2.0', id: 'first', method: 'initialize', params };
    const { result } = await client.sendText(`\uFEFF${JSON.stringify(first)}\r`, 'first');
    expect(result).toBeDefined();
    relay.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\r\n');
    await client.tools();
    kill(person.gateways()[0]!, 'SIGKILL');
    await eventually(() => client.count('notifications/tools/list_changed') > 0);
    expect(await client.result('kid:add', { a: 2, b: 2 })).toMatchObject({
      structuredContent: { sum: 4 },
    });
    expect(client.noise).toEqual([]);
  });

  it('hears of every lost request of a batch', async () => {
    const person = new Person(KID);
    const { client } = await person.connect();
    await client.tools();
    const call = (id: string) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'kid:sleep', arguments: { ms: 600_000 } },
    });
    const one = client.sendText(JSON.stringify([call('one'), call('two')]), 'one');
    await pause(500);
    kill(person.gateways()[0]!, 'SIGKILL');
    expect((await one).error?.message).toContain('not known whether');
    await eventually(() => client.received.some(({ id }) => id === 'two'));
  });

  it('may leave out the newline after its last line', async () => {
    const person = new Person(KID);
    const { client, process: relay, ended } = await person.connect();
    relay.stdin.end('{"jsonrpc":"2.0","id":"last","method":"ping"}');
    expect(await ended).toBe(0);
    expect(client.received).toMatchObject([{ id: 'last', result: {} }]);
  });
});

describe.skipIf(process.platform !== 'linux')('an accepted file of a folder', () => {
  it('is not applied after a change that was not accepted', async () => {
    const person = new Person(KID);
    const file = join(person.work, 'callsign.json');
    writeFileSync(file, JSON.stringify({ mcpServers: KID }));
    expect((await person.run(['config', 'accept'])).code).toBe(0);
    const { client, ended, stderr } = await person.connect({ args: [] });
    expect(await client.tools()).toContain('kid:add');
    writeFileSync(file, JSON.stringify({ mcpServers: { planted: plain() } }));
    const next = person.open({ args: [] });
    expect((await next.client.handshake()).error?.message).toContain('callsign config accept');
    // Nor by a gateway that starts again.
    for (const pid of person.gateways()) kill(pid, 'SIGKILL');
    expect(await ended).toBe(4);
    expect(stderr()).toContain('callsign config accept');
    expect(person.gateways()).toEqual([]);
  });
});

describe('a client without a configuration that can be used', () => {
  it('reads in the answer to its handshake that there is none', async () => {
    const person = new Person(KID);
    const missing = join(person.folder, 'missing.json');
    const { client, ended } = person.open({ args: ['--config', missing] });
    const { error } = await client.handshake();
    expect(error?.message).toContain(`There is no configuration at ${missing}`);
    client.close();
    expect(await ended).toBe(6);
  });

  it('reads there what is wrong with it', async () => {
    const person = new Person(KID);
    writeFileSync(person.config, '{ "mcpServers": { "kid": ');
    const { client, ended } = person.open({ env: { CALLSIGN_CONNECT_MS: '1000' } });
    const { error } = await client.handshake();
    expect(error?.message).toContain('The configuration has a problem');
    expect(error?.message).toContain(person.config);
    client.close();
    expect(await ended).toBe(6);
  });
});
