/**
 * What a client gets while servers are starting: the lists of their last run, and calls that wait.
 */

import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import {
  eventually,
  faulty,
  gatewayEntry,
  pause,
  plain,
  startGateway,
  temporaryFolder,
  writeConfig,
  type GatewayProcess,
  type GatewaySetup,
  type RawClient,
} from '../gateway-process.js';
import { ENVELOPE } from '../stateless-envelope.js';
import { pidOf } from './tool-results.js';

const CHANGED = 'notifications/tools/list_changed';
const QUICK = { restart: { initialMs: 20, maxMs: 50 } };

interface Before {
  readonly config: string;
  readonly state: string;
}

type Use = (client: RawClient) => Promise<void>;

/** Starts a gateway and stops it when it has listed its tools. It stores the lists in `state`. */
async function runOnce(setup: GatewaySetup, use: Use = async () => undefined): Promise<Before> {
  const state = temporaryFolder();
  const config = writeConfig(setup, randomUUID(), join(state, 'callsign.json'));
  const gateway = await again({ config, state }, setup.env);
  const client = await gateway.connect();
  await client.tools();
  await use(client);
  await gateway.stop();
  return { config, state };
}

/** The next start of the same configuration. */
function again({ config, state }: Before, env: GatewaySetup['env'] = {}): Promise<GatewayProcess> {
  return startGateway({ servers: {}, config, env: { ...env, XDG_STATE_HOME: state } });
}

function filesIn(state: string): string[] {
  const folder = join(state, 'callsign', 'offers');
  return readdirSync(folder).map((name) => join(folder, name));
}

describe('the second start', () => {
  it('D3, D14: lists at once what servers offered last, and calls wait for their server', async () => {
    const mayAnswer = join(temporaryFolder(), 'may-answer');
    writeFileSync(mayAnswer, '');
    const slow = plain(`--start-when=${mayAnswer}`);
    const before = await runOnce({ servers: { slow, fine: plain() } });
    rmSync(mayAnswer);
    const gateway = await again(before);
    const client = await gateway.connect();
    // It cannot have started: it waits for the file.
    const tools = await client.tools();
    expect(tools).toContain('slow:add');
    expect(tools).toContain('fine:add');
    const { result } = await client.request('prompts/list');
    expect(JSON.stringify(result)).toContain('slow:greet');

    let isAnswered = false;
    const meta = { _meta: { progressToken: 'p' } };
    const call = client.call('slow:add', { a: 1, b: 2 }, meta).finally(() => (isAnswered = true));
    await eventually(() => client.count('notifications/progress') > 0);
    expect(isAnswered).toBe(false);
    expect(
      client.received.find(({ method }) => method === 'notifications/progress')?.params,
    ).toEqual({ progressToken: 'p', progress: 0, message: 'Waiting for server "slow" to start.' });
    writeFileSync(mayAnswer, '');
    expect((await call).result?.['structuredContent']).toEqual({ sum: 3 });
    expect(await client.tools()).toEqual(tools);
    expect(client.count(CHANGED)).toBe(0);
  });

  it('D15: announces a difference once, after all servers have started', async () => {
    const folder = temporaryFolder();
    const [early, late] = [join(folder, 'early'), join(folder, 'late')];
    for (const file of [early, late]) writeFileSync(file, '');
    const changing = plain(`--start-when=${early}`);
    const servers = {
      one: changing,
      two: { ...changing, env: { N: '2' } },
      slow: plain(`--start-when=${late}`),
    };
    const first = await runOnce({ servers }, async (client) => {
      for (const key of ['one', 'two']) await client.result(`${key}:add_tool`, { name: 'gone' });
      for (const key of ['one', 'two'])
        await eventually(async () => (await client.tools()).includes(`${key}:gone`));
    });
    for (const file of [early, late]) rmSync(file);

    const gateway = await again(first);
    const client = await gateway.connect();
    const tools = await client.tools();
    expect(tools).toEqual(expect.arrayContaining(['one:gone', 'two:gone']));
    writeFileSync(early, '');
    await pidOf(client, 'one');
    await pidOf(client, 'two');
    // Both have changed their lists by now, and one server is still on its way.
    expect(client.count(CHANGED)).toBe(0);
    writeFileSync(late, '');
    await eventually(() => client.count(CHANGED) === 1);
    expect(await client.tools()).not.toContain('one:gone');
    await pidOf(client, 'slow');
    // Shows that nothing more comes: notifications are at least half a second apart.
    await pause(700);
    expect(client.count(CHANGED)).toBe(1);
  });

  it('does not use the stored lists of another entry', async () => {
    const mute = faulty('never-answers');
    const first = await runOnce({ servers: { one: plain() }, settings: { listWaitMs: 300 } });
    const text = readFileSync(first.config, 'utf8');
    const changed = JSON.parse(text) as { mcpServers: { one: { args: string[] } } };
    changed.mcpServers.one.args = [...mute.args!];
    writeFileSync(first.config, JSON.stringify(changed));
    const gateway = await again(first);
    expect(await (await gateway.connect()).tools()).toEqual([]);
  });

  it('stores its lists in files that only the owner can read, and ignores a broken file', async () => {
    const first = await runOnce({ servers: { one: plain() } });
    const files = filesIn(first.state);
    expect(files).toHaveLength(1);
    for (const file of files) {
      expect(statSync(file).mode & 0o777).toBe(0o600);
      writeFileSync(file, '{"version":1,"lists":{"tool":[["x","{"]]');
    }
    const gateway = await again(first);
    const client = await gateway.connect();
    expect(await client.tools()).toContain('one:add');
    expect(await pidOf(client, 'one')).toBeGreaterThan(0);
  });

  it('F7: works without a memory if nothing can be written', async () => {
    const gateway = await startGateway({
      servers: { one: plain() },
      env: { XDG_STATE_HOME: '/dev/null' },
    });
    const client = await gateway.connect();
    expect(await client.tools()).toContain('one:add');
    expect(await pidOf(client, 'one')).toBeGreaterThan(0);
  });

  it('remembers nothing if it is told to', async () => {
    const first = await runOnce({ servers: { one: plain() }, settings: { remember: false } });
    expect(() => filesIn(first.state)).toThrow('ENOENT');
  });
});

describe('the first start', () => {
  it('D14: waits up to the limit, counted from the request', async () => {
    const gateway = await startGateway({
      servers: { mute: faulty('never-answers'), fine: plain() },
      settings: { listWaitMs: 600 },
      listener: 'http',
    });
    // Longer than the limit: a limit from the start would be over.
    await pause(700);
    // The greeting waits first, and the list waits for the rest of the limit.
    const asked = performance.now();
    const client = await gateway.connect();
    expect(await client.tools()).toContain('fine:add');
    expect(performance.now() - asked).toBeGreaterThan(500);
  });

  it('D3: waits longer for clients that ask only once', async () => {
    const mayAnswer = join(temporaryFolder(), 'may-answer');
    const gateway = await startGateway({
      servers: { slow: plain(`--start-when=${mayAnswer}`), fine: plain() },
      settings: { listWaitMs: 100 },
      listener: 'http',
    });
    const other = await gateway.connect({ name: 'editor' });
    expect(await other.tools()).not.toContain('slow:add');
    const once = await gateway.connect({ name: 'langchain' });
    const tools = once.tools();
    writeFileSync(mayAnswer, '');
    expect(await tools).toContain('slow__add');
  });

  it('lists the servers in /healthz from the first moment', async () => {
    const gateway = await startGateway({
      servers: { mute: faulty('never-answers') },
      listener: 'http',
    });
    expect(await gateway.stateOf('mute')).toMatchObject({ state: { is: 'starting' } });
  });
});

describe('a server that ends', () => {
  it('D17: stays listed, and a call right after its end waits for it', async () => {
    const gateway = await startGateway({ servers: { frail: plain() }, settings: QUICK });
    const client = await gateway.connect();
    const tools = await client.tools();
    const pid = await pidOf(client, 'frail');
    const crashed = await client.call('frail:crash', { code: 7 });
    expect(crashed.error?.data).toMatchObject({
      code: 'upstream-closed',
      reason: 'it exited with code 7',
    });
    expect(crashed.error?.message).toContain('not known whether the call took effect');
    expect(await client.tools()).toEqual(tools);
    expect(await pidOf(client, 'frail')).not.toBe(pid);
    expect(client.count(CHANGED)).toBe(0);
  });

  it('F5, C13: is unavailable once it is given up, with its last output and what to do', async () => {
    const secret = 'hunter2-secret-value';
    const gateway = await startGateway({
      servers: {
        dead: {
          command: 'sh',
          args: ['-c', 'printf "no database at " >&2; printenv PLACE >&2; exit 3'],
          env: { PLACE: secret },
        },
        fine: plain(),
      },
      settings: { restart: { initialMs: 1, maxMs: 1, giveUpAfter: 2 } },
    });
    const client = await gateway.connect();
    await client.tools();
    await eventually(() => gateway.stderr.includes('gave up'));
    const { error } = await client.call('dead:anything');
    expect(error).toMatchObject({
      code: -32000,
      data: { code: 'upstream-unavailable', server: 'dead' },
    });
    expect(error?.message).toBe(
      'Server "dead" is not available: it exited with code 3; it said: ' +
        'no database at [redacted]. To find out why: callsign doctor. To start it again: callsign reload',
    );
    const nowhere = await client.call('nowhere:anything');
    expect(nowhere.error?.message).toMatch(/^Tool not found: nowhere:anything/);
    expect((await client.call('fine:nothing')).error?.message).toMatch(/^Tool not found/);
  });

  it.each([
    [{ dropUnavailable: false }, true],
    [{}, false],
  ])('with %j is still listed once it is given up: %s (S16)', async (own, isListed) => {
    const alive = join(temporaryFolder(), 'alive');
    writeFileSync(alive, '');
    const script = `[ -f '${alive}' ] && exec "$0" "$@"; exit 4`;
    const { command, args = [] } = plain();
    const server = { command: 'sh', args: ['-c', script, command, ...args] };
    const settings = { ...own, restart: { initialMs: 1, maxMs: 1, giveUpAfter: 2 } };
    const first = await runOnce({ servers: { frail: server, fine: plain() }, settings });
    rmSync(alive);
    const gateway = await again(first);
    const client = await gateway.connect();
    await client.tools();
    await eventually(() => gateway.stderr.includes('[frail] gave up'));
    await eventually(async () => (await client.tools()).includes('frail:add') === isListed);
    expect((await client.call('frail:add')).error).toMatchObject({
      data: { code: 'upstream-unavailable', server: 'frail' },
    });
  });

  it('N1: has a faulty entry: it is listed from memory, says why, and the others serve', async () => {
    const env = { TOKEN: '${COLD_START_TOKEN}' };
    const entry = { ...plain(), env, disabledTools: ['crash'] };
    const setup = { servers: { remote: entry, fine: plain() }, env: { COLD_START_TOKEN: 'x' } };
    const gateway = await again(await runOnce(setup));
    const client = await gateway.connect();
    const tools = await client.tools();
    expect(tools).toEqual(expect.arrayContaining(['remote:add', 'fine:add', 'fine:crash']));
    expect(tools).not.toContain('remote:crash');
    const { error } = await client.call('remote:add');
    expect(error?.data).toMatchObject({ code: 'upstream-unavailable', server: 'remote' });
    expect(error?.message).toContain('COLD_START_TOKEN');
    expect((await client.call('remote:other')).error?.data).toMatchObject({
      code: 'upstream-unavailable',
    });
    expect(await pidOf(client, 'fine')).toBeGreaterThan(0);
  });
});

describe.each([
  ['session', {}],
  ['stateless', { _meta: ENVELOPE }],
])('a call before any list, %s', (_era, extra) => {
  it('waits for its own server, not for the slowest one', async () => {
    const never = plain(`--start-when=${join(temporaryFolder(), 'never')}`);
    // The greeting itself waits as long as a list would.
    const settings = { listWaitMs: 200 };
    const gateway = await startGateway({ servers: { never, fine: plain() }, settings });
    const client = await gateway.connect();
    const { result } = await client.call('fine:add', { a: 1, b: 2 }, extra);
    expect(result?.['structuredContent']).toEqual({ sum: 3 });
  });
});

describe('a gateway behind a gateway', () => {
  it('has its tools at the second start although it starts slowly', async () => {
    const inner = await runOnce({ servers: { one: plain() } });
    const first = await runOnce({ servers: { team: gatewayEntry(inner.config) } });
    const gateway = await again(first);
    expect(await (await gateway.connect()).tools()).toContain('team:one:add');
  });
});
