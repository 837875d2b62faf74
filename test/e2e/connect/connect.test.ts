/** `callsign connect`: all clients of a person share one gateway, which outlives each of them. */

import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect as openSocket, createServer } from 'node:net';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { HANDSHAKE, sayHello } from '../../../packages/cli/src/connect/hello.js';
import { sharedKey } from '../../../packages/cli/src/connect/shared-gateway.js';
import { BIN } from '../command.js';
import { eventually, pause, plain, startGateway } from '../gateway-process.js';
import { descendantsOf } from '../lifecycle/processes.js';
import { LineClient } from '../lifecycle/raw-client.js';
import { kill, Person, pidOf } from './person.js';

const KID = { kid: plain() };

describe.skipIf(process.platform !== 'linux')('clients of one person', () => {
  it('share one gateway and one server process (M6)', async () => {
    const person = new Person(KID);
    const [a, b] = [await person.connect({ name: 'a' }), await person.connect({ name: 'b' })];
    expect(await a.client.tools()).toContain('kid:add');
    expect(await pidOf(a.client, 'kid:pid')).toBe(await pidOf(b.client, 'kid:pid'));
    expect(person.gateways()).toHaveLength(1);
    const { stdout } = await person.run(['status', '--json', '--config', person.config]);
    const { gateways } = JSON.parse(stdout);
    expect(gateways).toMatchObject([
      { isBackground: true, status: { clients: [{ name: 'a' }, { name: 'b' }] } },
    ]);
    a.client.close();
    expect(await a.ended).toBe(0);
    expect(await b.client.result('kid:add', { a: 1, b: 2 })).toMatchObject({
      structuredContent: { sum: 3 },
    });
  });

  it('start one gateway if ten of them start together', async () => {
    const settings = { servers: { mine: { share: 'client' } } };
    const person = new Person({ ...KID, mine: plain() }, settings);
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, i) => person.connect({ name: `editor-${i % 2}` })),
    );
    const pids = await Promise.all(all.map(({ client }) => pidOf(client, 'kid:pid')));
    expect(new Set(pids).size).toBe(1);
    await eventually(() => person.gateways().length === 1);
    // Without a storage, these are the gateways of all configurations.
    const { stdout, code } = await person.run(['status', '--all'], { columns: 200 });
    expect(code).toBe(0);
    expect(stdout).toContain(person.config);
    expect(stdout).toContain('10 clients: shared by all clients');
    expect(stdout).toMatch(/\d+ × \w+, 1 client each \(editor-\d.*\): own: "share" is "client"/);
  });

  it('have no gateway above them: ending the whole group of a client leaves it running', async () => {
    const person = new Person(KID);
    const first = await person.connect();
    const pid = await pidOf(first.client, 'kid:pid');
    process.kill(-first.process.pid!, 'SIGKILL');
    await first.ended;
    const next = await person.connect();
    expect(await pidOf(next.client, 'kid:pid')).toBe(pid);
    const [gateway] = person.gateways();
    const [, parent = ''] =
      /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${gateway}/status`, 'utf8')) ?? [];
    expect(person.processes()).not.toContain(Number(parent));
  });

  it('have servers and a gateway that outlive the tree of processes of a client', async () => {
    const person = new Person(KID);
    const words = [process.execPath, BIN, 'connect', '--config', person.config];
    // A shell that starts a shell, which starts `connect`. What follows keeps each from becoming its child.
    const own = '"$0" "$@"; exit';
    const editor = spawn('sh', ['-c', `sh -c ${own}`, own, ...words], { env: person.env() });
    onTestFinished(() => void editor.kill('SIGKILL'));
    const first = new LineClient(editor.stdout, editor.stdin);
    await first.handshake();
    const pid = await pidOf(first, 'kid:pid');
    const tree = [editor.pid!, ...descendantsOf(editor.pid!)];
    expect(tree.length).toBeGreaterThanOrEqual(3);
    const [gateway] = person.gateways();
    for (const each of tree) kill(each, 'SIGKILL');
    const next = await person.connect();
    expect(await pidOf(next.client, 'kid:pid')).toBe(pid);
    expect(person.gateways()).toEqual([gateway]);
  });

  it('go on when their gateway is killed: open calls fail, the next ones are answered', async () => {
    const person = new Person(KID);
    const { client } = await person.connect();
    await client.tools();
    const open = client.call('kid:sleep', { ms: 600_000 });
    await eventually(
      async () => (await person.run(['status', '--config', person.config])).code === 0,
    );
    await pause(300);
    const [gateway] = person.gateways();
    kill(gateway!, 'SIGKILL');
    expect((await open).error?.message).toContain('not known whether it took effect');
    expect(await client.result('kid:add', { a: 2, b: 2 })).toMatchObject({
      structuredContent: { sum: 4 },
    });
    await eventually(() => client.count('notifications/tools/list_changed') > 0);
    expect(person.gateways()).not.toContain(gateway);
    expect(client.noise).toEqual([]);
  });

  it('go on when a server is killed, or when another client is', async () => {
    const person = new Person(KID);
    const [a, b] = [await person.connect(), await person.connect()];
    const pid = await pidOf(a.client, 'kid:pid');
    kill(pid, 'SIGKILL');
    b.process.kill('SIGKILL');
    await eventually(async () => (await a.client.call('kid:pid')).result !== undefined);
    expect(await pidOf(a.client, 'kid:pid')).not.toBe(pid);
    await eventually(async () => {
      const { stdout } = await person.run(['status', '--json', '--config', person.config]);
      return JSON.parse(stdout).gateways[0].status.clients.length === 1;
    });
  });

  it('answer rightly after all processes were stopped and continued', async () => {
    const person = new Person(KID);
    const { client, process: relay } = await person.connect();
    await client.tools();
    const all = person.processes();
    for (const pid of all) kill(pid, 'SIGSTOP');
    const asked = client.call('kid:add', { a: 20, b: 3 });
    await pause(3_000);
    for (const pid of all) kill(pid, 'SIGCONT');
    expect((await asked).result).toMatchObject({ structuredContent: { sum: 23 } });
    expect(relay.exitCode).toBeNull();
  });

  it('of the stateless era share it too', async () => {
    const person = new Person({ kid: plain('--dual') });
    const { client } = person.open();
    const version = 'io.modelcontextprotocol/protocolVersion';
    const meta = {
      [version]: '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const { result } = await client.request('tools/list', { _meta: meta });
    expect(JSON.stringify(result)).toContain('kid:add');
    const sum = await client.request('tools/call', {
      name: 'kid:add',
      arguments: { a: 1, b: 1 },
      _meta: meta,
    });
    expect(sum.result).toMatchObject({ structuredContent: { sum: 2 } });
  });
});

describe.skipIf(process.platform !== 'linux')('the gateway in the background', () => {
  it('takes the place of a socket without an owner, and of one that was removed', async () => {
    const person = new Person(KID);
    const first = await person.connect();
    first.client.close();
    await first.ended;
    const [gateway] = person.gateways();
    kill(gateway!, 'SIGKILL');
    await eventually(() => person.gateways().length === 0);
    expect(existsSync(person.shared.address)).toBe(true);
    const second = await person.connect();
    expect(await second.client.result('kid:add', { a: 1, b: 2 })).toBeDefined();
    rmSync(person.shared.address);
    await eventually(() => existsSync(person.shared.address));
    const third = await person.connect();
    expect(await pidOf(third.client, 'kid:pid')).toBe(await pidOf(second.client, 'kid:pid'));
  });

  it('is found though the path of the state is too long for a socket', async () => {
    const person = new Person(KID);
    const env = { XDG_STATE_HOME: join(person.folder, 'a'.repeat(60), 'b'.repeat(60)) };
    const [a, b] = [await person.connect({ env }), await person.connect({ env })];
    expect(await pidOf(a.client, 'kid:pid')).toBe(await pidOf(b.client, 'kid:pid'));
    expect((await person.run(['stop', '--config', person.config], { env })).stderr).toContain(
      'Stopped',
    );
  });

  it('stops when no client was connected for a while', async () => {
    const person = new Person(KID, { background: { stopAfterMs: 500 } });
    const { client, ended } = await person.connect();
    await client.tools();
    client.close();
    await ended;
    await eventually(() => person.processes().length === 0);
    expect(existsSync(person.shared.address)).toBe(false);
  });

  it('is stopped and started again by commands, and its clients go on', async () => {
    const person = new Person(KID);
    const { client } = await person.connect();
    const before = await pidOf(client, 'kid:pid');
    const stopped = await person.run(['stop', '--config', person.config]);
    expect(stopped.stderr).toContain(`Stopped the gateway of ${person.config}`);
    expect(person.gateways()).toEqual([]);
    // The next request starts it again.
    expect(await pidOf(client, 'kid:pid')).not.toBe(before);
    const [first] = person.gateways();
    const restarted = await person.run(['restart', '--config', person.config]);
    expect(restarted).toMatchObject({ code: 0 });
    expect(restarted.stderr).toMatch(/^The gateway of .* runs again \(process \d+\)\.\n$/);
    expect(person.gateways()).not.toContain(first);
    expect(await client.tools()).toContain('kid:add');
    expect((await person.run(['stop', '--all'])).code).toBe(0);
    expect((await person.run(['stop', '--config', person.config])).stderr).toContain('No gateway');
  });

  it('is only started by a restart if none ran, and others of the file go on', async () => {
    const person = new Person(KID);
    const { config } = person;
    const env = person.env();
    const other = await startGateway({ servers: {}, config, listener: 'http', env });
    const { code, stderr } = await person.run(['restart', '--config', config]);
    expect(code).toBe(0);
    const [pid] = person.gateways();
    expect(stderr).toBe(
      `No gateway of ${config} ran in the background. Started one (process ${pid}).\n` +
        `Other gateways of this file were not restarted: process ${other.pid}.\n`,
    );
    expect(other.hasExited).toBe(false);
    const stays = /A gateway still runs in the background\. To stop it: .*callsign.* stop --all\n$/;
    expect((await person.run(['uninstall', '--all'])).stderr).toMatch(stays);
    expect((await person.run(['stop', '--all'])).code).toBe(0);
    // The other one is not meant.
    expect((await person.run(['uninstall', '--all'])).stderr).not.toContain('A gateway');
  });

  it('ends after its calls if a newer version has connected, and starts that one', async () => {
    const person = new Person(KID);
    const { client } = await person.connect();
    await client.tools();
    const mark = join(person.folder, 'started');
    const newer = person.write(
      'newer.mjs',
      `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(mark)}, process.argv.slice(2).join(' '));`,
    );
    const { config, address, state } = person.shared;
    const greet = async (version: string) => {
      const socket = openSocket(address);
      onTestFinished(() => void socket.destroy());
      const hello = { version, config, folder: '/', env: {}, command: [process.execPath, newer] };
      await sayHello(socket, sharedKey(state), hello);
    };
    await greet('0.0.1');
    const asked = client.call('kid:sleep', { ms: 2_500 });
    const [gateway] = person.gateways();
    await greet('99.0.0');
    // The call is answered by the old one, which ends afterwards.
    expect((await asked).error).toBeUndefined();
    await eventually(() => existsSync(mark) && readFileSync(mark, 'utf8') !== '');
    expect(readFileSync(mark, 'utf8')).toContain(`serve --background --config ${config}`);
    await eventually(() => !person.gateways().includes(gateway!));
  });

  it('refuses who does not know the key, and a client does not talk to who does not', async () => {
    const person = new Person(KID);
    await person.connect();
    const socket = openSocket(person.shared.address);
    const hello = {
      version: '1.0.0',
      config: person.shared.config,
      folder: '/',
      env: {},
      command: [],
    };
    await expect(sayHello(socket, Buffer.alloc(32, 7), hello)).rejects.toThrow(
      'does not know the key',
    );
    socket.destroy();
    const other = new Person(KID);
    mkdirSync(join(other.shared.state, 'run'), { recursive: true, mode: 0o700 });
    let heard = '';
    const impostor = createServer((peer) => {
      peer.on('data', (chunk) => {
        heard += String(chunk);
        peer.write(
          `${JSON.stringify({ handshake: HANDSHAKE, nonce: 'x', proof: 'ab'.repeat(32) })}\n`,
        );
      });
    });
    await new Promise<void>((done) => impostor.listen(other.shared.address, done));
    onTestFinished(() => void impostor.close());
    const secret = 'value-of-a-secret';
    writeFileSync(
      other.config,
      JSON.stringify({ mcpServers: { kid: { ...plain(), env: { KEY: '${MY_KEY}' } } } }),
    );
    const { client, stderr } = await other.connect({ env: { MY_KEY: secret } });
    // It gets a gateway of its own instead.
    expect(await client.tools()).toContain('kid:add');
    expect(stderr()).toContain('a gateway of its own');
    expect(heard).not.toContain(secret);
  });
});

describe('callsign connect', () => {
  it('loads two small files, and nothing of the gateway', async () => {
    const person = new Person(KID);
    const folder = join(person.folder, 'loaded');
    const { client, ended } = await person.connect({ env: { NODE_V8_COVERAGE: folder } });
    await client.tools();
    client.close();
    expect(await ended).toBe(0);
    const names = readdirSync(folder);
    expect(names).toHaveLength(1);
    const { result } = JSON.parse(readFileSync(join(folder, names[0]!), 'utf8')) as {
      result: { url: string }[];
    };
    const loaded = result.filter(({ url }) => url.startsWith('file:')).map(({ url }) => url);
    expect(loaded.map((url) => url.split('/').slice(-2).join('/')).toSorted()).toEqual([
      'bin/callsign.cjs',
      'bundle/callsign.cjs',
    ]);
    for (const url of loaded) expect(statSync(new URL(url)).size).toBeLessThan(40_000);
  });

  it('tells a client how to accept the file of its folder', async () => {
    const person = new Person(KID);
    writeFileSync(join(person.work, 'callsign.json'), JSON.stringify({ mcpServers: KID }));
    const { client, ended } = person.open({ args: [] });
    const { error } = await client.handshake();
    expect(error?.message).toContain('callsign config accept');
    client.close();
    expect(await ended).toBe(6);
    expect(person.gateways()).toEqual([]);
  });

  it('serves by itself if no socket can be made', async () => {
    const person = new Person(KID);
    person.write('state/callsign/run', 'a file in the place of the folder');
    const { client, stderr } = await person.connect();
    expect(await client.tools()).toContain('kid:add');
    expect(stderr()).toContain('a gateway of its own');
    expect(person.gateways()).toEqual([]);
  });
});

describe.skipIf(process.platform !== 'linux')('servers of the shared gateway', () => {
  const TOKEN = { kid: { ...plain(), env: { TOKEN: '${MY_TOKEN}' } } };
  const tokenOf = async (client: { result(name: string): Promise<unknown> }) =>
    /TOKEN[^a-z]+([a-z]+-token)/.exec(JSON.stringify(await client.result('kid:env')))?.[1];

  it('use the variables of their client, and never those of another', async () => {
    const person = new Person(TOKEN);
    const a = await person.connect({ env: { MY_TOKEN: 'first-token' } });
    const b = await person.connect({ name: 'b', env: { MY_TOKEN: 'other-token' } });
    const c = await person.connect();
    expect(await tokenOf(a.client)).toBe('first-token');
    expect(await tokenOf(b.client)).toBe('other-token');
    // A client without the variable uses the process that has it.
    expect(await pidOf(c.client, 'kid:pid')).toBe(await pidOf(a.client, 'kid:pid'));
    expect(person.gateways()).toHaveLength(1);
    const { stdout } = await person.run(['status', '--config', person.config], { columns: 200 });
    expect(stdout).toContain('1 client (b): own: MY_TOKEN differs');
  });

  it('are in the first list of the client that brings their variables', async () => {
    const person = new Person({ ...TOKEN, other: plain() });
    const a = await person.connect();
    expect(await a.client.tools()).toContain('other:add');
    expect(await a.client.tools()).not.toContain('kid:add');
    const b = await person.connect({ env: { MY_TOKEN: 'first-token' } });
    expect(await b.client.tools()).toContain('kid:add');
    await eventually(async () => (await a.client.tools()).includes('kid:add'));
  });

  it('use the variables of their client under a profile too', async () => {
    const person = new Person(TOKEN);
    const a = await person.connect({ env: { MY_TOKEN: 'first-token' } });
    expect(await tokenOf(a.client)).toBe('first-token');
    for (const profile of ['canonical', 'auto']) {
      const args = ['--config', person.config, '--profile', profile];
      const b = await person.connect({ env: { MY_TOKEN: 'other-token' }, args });
      expect(await tokenOf(b.client)).toBe('other-token');
      expect(b.stderr()).toBe('');
    }
  });

  it('sleep until a call needs them, from the second start of the gateway on', async () => {
    const person = new Person(KID);
    const first = await person.connect();
    await pidOf(first.client, 'kid:pid');
    first.client.close();
    await first.ended;
    await person.run(['stop', '--config', person.config]);
    const second = await person.connect();
    expect(await second.client.tools()).toContain('kid:add');
    const { stdout } = await person.run(['status', '--config', person.config]);
    expect(stdout).toContain('asleep');
    expect(await pidOf(second.client, 'kid:pid')).toBeGreaterThan(1);
  });
});
