import { mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { createLog, type ClientConnection } from '@callsign/core';
import { openStdioListener, PendingCalls, type ServedSource } from '@callsign/wire';
import { describe, expect, it, onTestFinished } from 'vitest';

import { PLAIN, temporaryFolder } from '../../../../test/e2e/serve/callsign-process.js';
import { LineClient } from '../../../../test/e2e/serve/line-client.js';
import { isAlive, until } from '../../../../test/e2e/serve/until.js';
import {
  describeInSandbox,
  ordinaryFolder,
  SCRIPT,
} from '../../../../test/e2e/sandbox/sandboxes.js';
import { parseConfig } from '../config/parse-config.js';
import { processKey } from '../config/server-config.js';
import { loadWithModules } from '../gateway/create-gateway.js';
import { Gateway } from '../gateway/gateway.js';
import { Reloader } from '../gateway/reloader.js';
import { plain } from '../testing/served.js';

const FILES = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'),
);

describe('clients of one person', () => {
  it('share one process of a server, which is started again after it was killed', async () => {
    const { connect, gateway } = await share({ s: plain() });
    const [a, b] = [await connect(), await connect()];
    const pid = await a.client.pid('s');
    expect(await b.client.pid('s')).toBe(pid);
    expect(gateway.status()[0]!.processes).toEqual([
      { state: 'ready', clients: 2, names: ['test', 'test'], reason: 'shared by all clients' },
    ]);
    process.kill(pid, 'SIGKILL');
    await until(() => !isAlive(pid));
    const next = await a.client.pid('s');
    expect(next).not.toBe(pid);
    expect(await b.client.pid('s')).toBe(next);
  });

  it('never use the account of another: each value of a variable has its process', async () => {
    const server = { ...plain(), env: { TOKEN: '${ACCOUNT}' } };
    const { connect, gateway } = await share({ s: server, other: plain() });
    const one = await connect({ env: { ACCOUNT: 'one' } });
    const two = await connect({ env: { ACCOUNT: 'two' } });
    const again = await connect({ env: { ACCOUNT: 'two' } });
    const without = await connect();
    await until(() => gateway.status().every(({ key, state }) => key && state.is === 'ready'));
    const token = async ({ client }: Client): Promise<unknown> =>
      (await client.call('s:env')).result?.structuredContent?.['TOKEN'];
    expect(await Promise.all([one, two, again, without].map(token))).toEqual([
      'one',
      'two',
      'two',
      'one',
    ]);
    expect(await again.client.pid('s')).toBe(await two.client.pid('s'));
    expect(await without.client.pid('s')).toBe(await one.client.pid('s'));
    expect(await two.client.pid('other')).toBe(await one.client.pid('other'));
    const names = ['test', 'test'];
    expect(gateway.status()[0]!.processes).toEqual([
      { state: 'ready', clients: 2, names, reason: 'shared by all other clients' },
      { state: 'ready', clients: 2, names, reason: 'own: ACCOUNT differs' },
    ]);
    expect(gateway.status()[1]!.processes).toMatchObject([{ clients: 4 }]);
  });

  it('share the value of those that are left, once the first one has gone', async () => {
    const server = { ...plain(), env: { TOKEN: '${ACCOUNT}' } };
    const { connect, gateway } = await share({ s: server, other: plain() });
    const one = await connect({ env: { ACCOUNT: 'one' } });
    const two = await connect({ env: { ACCOUNT: 'two' } });
    await until(() => gateway.status().every(({ state }) => state.is === 'ready'));
    const [first, second] = [await one.client.pid('s'), await two.client.pid('s')];
    one.leave();
    await until(() => !isAlive(first) && !isAlive(second));
    const without = await connect();
    const tokens = [two, without].map(async ({ client }) => (await client.call('s:env')).result);
    for (const result of await Promise.all(tokens))
      expect(result?.structuredContent).toMatchObject({ TOKEN: 'two' });
    expect(await without.client.pid('s')).toBe(await two.client.pid('s'));
  });

  it('get an error, and no account of another, if their value makes the entry invalid', async () => {
    const { connect } = await share({
      web: { url: 'http://127.0.0.1:${PORT}/mcp' },
      other: plain(),
    });
    await connect({ env: { PORT: '9' } });
    const odd = await connect({ env: { PORT: 'none' } });
    const { result } = await odd.client.request<{ tools: unknown[] }>('tools/list');
    expect(result?.tools.length).toBeGreaterThan(0);
    const { error } = await odd.client.call('web:anything');
    expect(error?.message).toMatch(/not valid with this client's PORT/);
  });

  it('have processes in their own folders if the entry has a relative path', async () => {
    const { connect, gateway } = await share({ s: { command: 'node', args: ['server.mjs'] } });
    const [here, there] = [folderWithServer(), folderWithServer()];
    const [a, b] = [await connect({ folder: here }), await connect({ folder: there })];
    const same = await connect({ folder: here });
    await until(() => gateway.status()[0]!.state.is === 'ready');
    const folderOf = async ({ client }: Client): Promise<unknown> =>
      (await client.call('s:env')).result?.structuredContent?.['PWD_NOW'];
    expect(await folderOf(a)).toBe(realpathSync(here));
    expect(await folderOf(b)).toBe(realpathSync(there));
    expect(await same.client.pid('s')).toBe(await a.client.pid('s'));
    expect(gateway.status()[0]!.processes).toMatchObject([
      { clients: 2 },
      { clients: 1, reason: 'own folder' },
    ]);
  });

  it('with different roots never see the files of another', async () => {
    const state = temporaryFolder();
    const servers = { files: { command: 'node', args: [FILES, state] } };
    const { connect, gateway } = await share(servers, {}, state);
    const [one, two] = [folderWith('one.txt'), folderWith('two.txt')];
    const a = await connect({ roots: [one] });
    const seen = async ({ client }: Client): Promise<string> =>
      (await client.call('files:list_allowed_directories')).result!.content[0]!.text;
    await until(async () => (await seen(a)).includes(one));
    const b = await connect({ roots: [two] });
    // Its process starts with this call, which does not overtake the roots.
    const first = await seen(b);
    expect(first).toContain(two);
    expect(first).not.toContain(one);
    expect(await seen(a)).not.toContain(two);
    const stolen = await b.client.call('files:read_text_file', { path: join(one, 'one.txt') });
    expect(JSON.stringify(stolen)).toMatch(/denied/i);
    const own = await b.client.call('files:read_text_file', { path: join(two, 'two.txt') });
    expect(own.result?.content[0]?.text).toBe('in two.txt');
    const reasons = gateway.status()[0]!.processes!.map(({ reason }) => reason);
    expect(reasons.filter((reason) => reason === 'own: it asked for roots')).toHaveLength(2);

    // The next gateway knows it from the start.
    gateway.clients.remove(a.connection);
    await gateway.stop();
    const next = await share(servers, {}, state);
    const c = await next.connect({ roots: [one] });
    expect(next.gateway.status()[0]!.processes).toEqual([
      { state: 'asleep', clients: 1, names: ['test'], reason: 'own: it asked for roots' },
    ]);
    expect(await seen(c)).toContain(one);
  });

  it('keep the process in which a call of theirs asked for roots', async () => {
    const { connect } = await share({ s: plain() });
    const [a, b] = [await connect({ roots: ['/a'] }), await connect({ roots: ['/b'] })];
    const pid = await a.client.pid('s');
    const rootsOf = async ({ client }: Client): Promise<string> =>
      JSON.stringify((await client.call('s:ask', { kind: 'roots' })).result);
    expect(await rootsOf(a)).toContain('file:///a');
    expect(await a.client.pid('s')).toBe(pid);
    expect(await b.client.pid('s')).not.toBe(pid);
    expect(await rootsOf(b)).toContain('file:///b');
  });

  it('have a process each with "share": "client", which ends with the client', async () => {
    const settings = { servers: { s: { share: 'client' } } };
    const { connect, gateway } = await share({ s: plain() }, settings);
    const [a, b] = [await connect(), await connect()];
    const [first, second] = [await a.client.pid('s'), await b.client.pid('s')];
    expect(first).not.toBe(second);
    a.leave();
    await until(() => !isAlive(first));
    expect(isAlive(second)).toBe(true);
    expect(await b.client.pid('s')).toBe(second);
    expect(gateway.status()[0]!.processes).toContainEqual({
      state: 'ready',
      clients: 1,
      names: ['test'],
      reason: 'own: "share" is "client"',
    });
  });

  it('have a process each of a package that keeps something for each client', async () => {
    const folder = join(temporaryFolder(), 'node_modules/@playwright/mcp');
    mkdirSync(folder, { recursive: true });
    const script = join(folder, 'cli.mjs');
    writeFileSync(script, `await import(${JSON.stringify(pathToFileURL(PLAIN).href)});`);
    const { connect, gateway } = await share({ web: { command: 'node', args: [script] } });
    const [a, b] = [await connect(), await connect()];
    expect(await a.client.pid('web')).not.toBe(await b.client.pid('web'));
    const reasons = gateway.status()[0]!.processes!.map(({ reason }) => reason);
    expect(reasons.filter((reason) => reason === 'own: it keeps a browser')).toHaveLength(2);
  });

  it('hear only of the resources of their own processes', async () => {
    const settings = { servers: { s: { share: 'client' } } };
    const { connect } = await share({ s: plain() }, settings);
    const [a, b] = [await connect(), await connect()];
    for (const { client } of [a, b]) {
      await client.pid('s');
      await client.request('resources/subscribe', { uri: 'plain://static' });
    }
    await a.client.call('s:touch');
    await a.client.pid('s');
    await b.client.pid('s');
    const updates = ({ client }: Client): number =>
      client.heard.filter((method) => method === 'notifications/resources/updated').length;
    await until(() => updates(a) === 1);
    expect(updates(b)).toBe(0);
  });

  it('are asked, and hear log messages, only about their own calls', async () => {
    const { connect } = await share({ s: plain() }, { servers: { s: { share: 'person' } } });
    const [a, b] = [await connect({ roots: ['/a'] }), await connect({ roots: ['/b'] })];
    expect(await a.client.pid('s')).toBe(await b.client.pid('s'));
    await a.client.call('s:log', { text: 'for a' });
    const asked = await b.client.call('s:ask', { kind: 'roots' });
    expect(JSON.stringify(asked.result)).toContain('file:///b');
    await a.client.pid('s');
    const heard = ({ client }: Client, text: string): boolean =>
      client.lines.some((each) => each.includes(text));
    expect([heard(a, 'for a'), heard(b, 'for a')]).toEqual([true, false]);
    expect([heard(a, 'roots/list'), heard(b, 'roots/list')]).toEqual([false, true]);
  });

  it('cancel their calls when they disconnect, and their own processes end', async () => {
    const settings = { servers: { s: { share: 'client' } } };
    const { connect, gateway } = await share({ s: plain() }, settings);
    const { client, leave } = await connect();
    const pid = await client.pid('s');
    void client.call('s:sleep', { ms: 600_000 });
    await client.pid('s');
    expect(gateway.isIdle()).toBe(false);
    leave(true);
    await until(() => !isAlive(pid) && gateway.isIdle());
    expect(gateway.clients.size).toBe(0);
  });

  it('bring variables that were missing, and the server becomes available', async () => {
    const file = join(temporaryFolder(), 'callsign.json');
    const needing = { ...plain(), env: { TOKEN: '${ACCOUNT}' } };
    writeFileSync(file, JSON.stringify({ mcpServers: { s: needing, other: plain() } }));
    const loaded = await loadWithModules(file, { env: {}, isLenient: true });
    if (!loaded.ok) throw new Error('not loaded');
    const shared = shareWith(new Gateway(loaded.config, optionsFor(temporaryFolder())));
    const reloader = new Reloader(shared.gateway, () => undefined, { isLenient: true });
    onTestFinished(() => reloader.close());
    await shared.gateway.settled();
    expect(shared.gateway.status().find(({ key }) => key === 's')?.state.is).toBe('failed');
    const a = await shared.connect({ env: { ACCOUNT: 'mine' } });
    await until(async () => (await a.client.toolNames()).includes('s:env'));
    const { result } = await a.client.call('s:env');
    expect(result?.structuredContent).toMatchObject({ TOKEN: 'mine' });
  });
});

describeInSandbox('clients whose sandboxes differ', () => {
  const entry = { command: process.execPath, args: [SCRIPT] };
  const writing = async ({ client }: Client, path: string): Promise<string> => {
    const code = `fs.writeFileSync(${JSON.stringify(path)}, 'x'); return 'written'`;
    const { result } = await client.call('s:run', { code });
    return result!.content.map(({ text }) => text).join(' ');
  };

  it('have processes of their own: one may not change what the other may', async () => {
    const [here, there] = [ordinaryFolder(), ordinaryFolder()];
    const server = { ...entry, cwd: '${PROJECT}' };
    const settings = { servers: { s: { sandbox: true } } };
    const { connect, gateway } = await share({ s: server }, settings, ordinaryFolder(), {
      PROJECT: here,
    });
    const a = await connect({ env: { PROJECT: here } });
    const b = await connect({ env: { PROJECT: there } });
    for (const [client, own, other] of [
      [a, here, there],
      [b, there, here],
    ] as const) {
      expect(await writing(client, join(own, 'mine'))).toBe('written');
      expect(await writing(client, join(other, 'mine'))).toContain('EROFS');
    }
    expect(gateway.status()[0]!.processes).toMatchObject([
      { clients: 1 },
      { clients: 1, reason: 'own: PROJECT differs' },
    ]);
  });

  it('have them too if only a path of the sandbox begins at their folder', async () => {
    const [here, there] = [ordinaryFolder(), ordinaryFolder()];
    const settings = { servers: { s: { sandbox: { files: { write: ['data'] } } } } };
    const { connect, gateway } = await share({ s: entry }, settings, ordinaryFolder());
    const a = await connect({ folder: here });
    const b = await connect({ folder: there });
    const again = await connect({ folder: there });
    expect(await writing(a, join(here, 'data', 'x'))).toBe('written');
    expect(await writing(b, join(there, 'data', 'x'))).toBe('written');
    expect(await writing(again, join(here, 'data', 'y'))).toContain('EROFS');
    expect(gateway.status()[0]!.processes).toMatchObject([
      { clients: 1 },
      { clients: 2, reason: 'own folder' },
    ]);
  });

  it('are never put together: the key of a process has its sandbox', () => {
    const keyWith = (sandbox: unknown): string => {
      const text = JSON.stringify({
        mcpServers: { s: entry },
        callsign: { servers: { s: { sandbox } } },
      });
      const read = parseConfig(text, { file: '/callsign.json', env: {} });
      if (!read.ok) throw new Error(JSON.stringify(read.problems));
      return processKey(read.config.servers[0]!);
    };
    const settings = [
      false,
      true,
      { files: 'read-only' },
      { network: 'none' },
      { network: ['a.example:443'] },
      { files: { write: ['/a'] } },
      { files: { write: ['/a'], hide: ['/a/b'] } },
    ];
    expect(new Set(settings.map(keyWith)).size).toBe(settings.length);
    expect(keyWith({ files: { write: ['/a'] } })).toBe(keyWith({ files: { write: ['/a'] } }));
  });
});

describe('a server on demand', () => {
  it('starts with its first call, once its lists are remembered, and tells the client so', async () => {
    const state = temporaryFolder();
    const first = await share({ s: plain('--delay-start=300') }, {}, state);
    const { client } = await first.connect();
    await client.pid('s');
    await first.gateway.stop();
    expect(readdirSync(join(state, '.local/state/callsign/offers'))).not.toEqual([]);

    const next = await share({ s: plain('--delay-start=300') }, {}, state);
    const other = await next.connect();
    expect(await other.client.toolNames()).toContain('s:pid');
    expect(next.gateway.status()).toMatchObject([{ state: { is: 'asleep' } }]);
    expect(next.gateway.isIdle()).toBe(true);
    const { result } = await other.client.request<{ structuredContent: object }>('tools/call', {
      name: 's:pid',
      arguments: {},
      _meta: { progressToken: 'mine' },
    });
    expect(result?.structuredContent).toMatchObject({ pid: expect.any(Number) });
    const told = other.client.lines.find((line) => line.includes('notifications/progress'));
    expect(told).toContain('"progressToken":"mine"');
    expect(told).toContain('Waiting for server');
    expect(next.gateway.status()).toMatchObject([{ state: { is: 'ready' } }]);
  });

  it('sleeps when no client uses it, never during a call, and wakes for the next one', async () => {
    const { connect, gateway } = await share(
      { s: plain() },
      { servers: { s: { idleStopMs: 50 } } },
    );
    const { client } = await connect();
    const pid = await client.pid('s');
    const morning = join(temporaryFolder(), 'morning');
    const slow = client.call('s:sleep', { until: morning });
    await client.pid('s');
    expect(gateway.isIdle()).toBe(false);
    // Many times longer than the time after which it sleeps.
    await new Promise((resolve) => {
      setTimeout(resolve, 500);
    });
    expect(isAlive(pid)).toBe(true);
    writeFileSync(morning, '');
    expect((await slow).result?.content[0]?.text).toBe('Slept until the file came.');
    await until(() => gateway.status()[0]!.state.is === 'asleep' && !isAlive(pid));
    expect(await client.toolNames()).toContain('s:pid');
    expect(await client.pid('s')).not.toBe(pid);
  });

  it('does not sleep while a client watches one of its resources', async () => {
    const { connect, gateway } = await share(
      { s: plain() },
      { servers: { s: { idleStopMs: 50 } } },
    );
    const { client } = await connect();
    await client.request('resources/subscribe', { uri: 'plain://static' });
    const pid = await client.pid('s');
    await new Promise((resolve) => {
      setTimeout(resolve, 500);
    });
    expect(isAlive(pid)).toBe(true);
    await client.request('resources/unsubscribe', { uri: 'plain://static' });
    await until(() => gateway.status()[0]!.state.is === 'asleep');
  });

  it('says why its last start failed, and tries again with the next call', async () => {
    const folder = temporaryFolder();
    const script = join(folder, 'server.mjs');
    const good = `await import(${JSON.stringify(pathToFileURL(PLAIN).href)});`;
    writeFileSync(script, good);
    const settings = { restart: { initialMs: 1, maxMs: 2 }, servers: { s: { idleStopMs: 50 } } };
    const { connect, gateway } = await share({ s: { command: 'node', args: [script] } }, settings);
    const { client } = await connect();
    await client.pid('s');
    await until(() => gateway.status()[0]!.state.is === 'asleep');
    writeFileSync(script, 'process.exit(3);');
    const { error } = await client.call('s:pid');
    expect(error?.message).toMatch(/exited with code 3/);
    expect(gateway.status()[0]!.state).toMatchObject({
      is: 'asleep',
      reason: expect.stringContaining('code 3'),
    });
    expect(await client.toolNames()).toContain('s:pid');
    writeFileSync(script, good);
    expect(await client.pid('s')).toBeGreaterThan(0);
  });

  it('compares its lists with the lock file before a waiting call is sent', async () => {
    const folder = temporaryFolder();
    const script = join(folder, 'server.mjs');
    const wrapper = (more: string): string =>
      `process.argv.push(${more}); await import(${JSON.stringify(pathToFileURL(PLAIN).href)});`;
    writeFileSync(script, wrapper("'--tools=2'"));
    const settings = { lock: 'enforce', servers: { s: { idleStopMs: 50 } } };
    const { connect, gateway } = await share({ s: { command: 'node', args: [script] } }, settings);
    const { client } = await connect();
    expect((await client.call('s:t_1')).result).toBeDefined();
    await until(() => gateway.status()[0]!.state.is === 'asleep');
    writeFileSync(script, wrapper("'--tools=1'"));
    const { result } = await client.call('s:t_1');
    expect(result?.content[0]?.text).toMatch(/changed or withdrawn while the call waited/);
    expect(JSON.stringify(await client.call('s:t_0'))).not.toContain('Error');
  });
});

interface Client {
  readonly client: LineClient;
  readonly connection: ClientConnection;
  /** `isAbrupt`: it does not wait for its answers. */
  leave(isAbrupt?: boolean): void;
}

interface ClientFacts extends Partial<Pick<ClientConnection, 'env' | 'folder'>> {
  /** The folders that it gives as roots. Default: it has none. */
  readonly roots?: readonly string[];
}

/** The background gateway of one person. `home`: where its state is. */
async function share(
  mcpServers: Readonly<Record<string, object>>,
  callsign: object = {},
  home = temporaryFolder(),
  variables: Readonly<Record<string, string>> = {},
) {
  const text = JSON.stringify({ mcpServers, callsign: { listWaitMs: 60_000, ...callsign } });
  const file = join(home, 'callsign.json');
  writeFileSync(file, text);
  const env = { HOME: home, ACCOUNT: undefined };
  const read = parseConfig(text, {
    file,
    env: { ...env, ACCOUNT: 'one', PORT: '9', ...variables },
  });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const shared = shareWith(new Gateway(read.config, optionsFor(home)));
  const reloader = new Reloader(shared.gateway, () => undefined, { isLenient: true });
  onTestFinished(() => reloader.close());
  return shared;
}

function optionsFor(home: string): ConstructorParameters<typeof Gateway>[1] {
  return {
    self: { name: 'callsign', version: '0' },
    log: createLog('error', () => undefined),
    isShared: true,
    env: { HOME: home, PATH: process.env['PATH'] },
    cwd: '/',
  };
}

function shareWith(gateway: Gateway) {
  const served = gateway.served();
  gateway.start();
  onTestFinished(() => gateway.stop());
  let count = 0;
  const connect = async ({ env = {}, folder = '/', roots }: ClientFacts = {}): Promise<Client> => {
    const connection = { id: `connection-${++count}`, folder, env };
    gateway.clients.add(connection);
    return openClient(gateway, { ...served, connection }, connection, roots);
  };
  return { gateway, connect };
}

async function openClient(
  gateway: Gateway,
  served: ServedSource,
  connection: ClientConnection,
  roots: readonly string[] | undefined,
): Promise<Client> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const { closed } = openStdioListener({
    served,
    pending: new PendingCalls(),
    input,
    output,
    maxMessageBytes: 1024 * 1024,
  });
  void closed.then(() => gateway.clients.remove(connection));
  onTestFinished(() => void input.end());
  const client = new LineClient(output, input);
  if (roots) {
    const listed = roots.map((folder) => ({ uri: pathToFileURL(folder).href }));
    client.answer('roots/list', { roots: listed });
  }
  await client.greet('test', '1.0.0', roots ? { roots: { listChanged: true } } : {});
  const leave = (isAbrupt = false): void => void (isAbrupt ? input.destroy() : input.end());
  return { client, connection, leave };
}

function folderWith(file: string): string {
  const folder = realpathSync(temporaryFolder());
  writeFileSync(join(folder, file), `in ${file}`);
  return folder;
}

/** The plain server, which says where it runs. */
function folderWithServer(): string {
  const folder = temporaryFolder();
  const script = `process.env.PWD_NOW = process.cwd(); await import(${JSON.stringify(pathToFileURL(PLAIN).href)});`;
  writeFileSync(join(folder, 'server.mjs'), script);
  return folder;
}
