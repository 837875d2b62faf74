/** D13: calls that become tasks, directly and through the gateway, in both eras. */

import { createApiKey } from '@callsign/auth';
import { describe, expect, it, onTestFinished } from 'vitest';

import { BIN } from '../command.js';
import { Home } from '../cli/callsign.js';
import { TestGateway } from '../clients/gateway.js';
import { HttpPeer } from '../clients/http-peer.js';
import type { ClientOptions, Era, Peer } from '../clients/peer.js';
import { Pipe, type PipePeer } from '../clients/pipe-peer.js';
import { directly, errorOf, extended, gatewayWith, resultOf } from './extended.js';
import { recordsOf } from './journal-records.js';

const EXTENSION = 'io.modelcontextprotocol/tasks';
const CLIENT: ClientOptions = {
  capabilities: `{"elicitation":{},"extensions":{"${EXTENSION}":{}}}`,
  answer: () => '{"action":"accept","content":{}}',
};
const WAIT = { timeout: 10_000 };

interface State {
  readonly taskId: string;
  readonly status: string;
  readonly result?: { readonly content: readonly { readonly text: string }[] };
  readonly inputRequests?: Readonly<Record<string, object>>;
}

/** Calls a tool as a task. */
async function begin(peer: Peer, name: string, args: object = {}): Promise<State> {
  const isSession = peer.era === 'session';
  const params = { name, arguments: args, ...(isSession ? { task: { ttl: 60_000 } } : {}) };
  const result = await resultOf<State & { task: State }>(peer, 'tools/call', params);
  return isSession ? result.task : result;
}

const get = (peer: Peer, taskId: string): Promise<State> =>
  resultOf<State>(peer, 'tasks/get', { taskId });

/** Waits for the end, and returns the text of the result. */
async function outcome(peer: Peer, taskId: string): Promise<string | undefined> {
  await expect.poll(async () => (await get(peer, taskId)).status, WAIT).toBe('completed');
  const { result } = await get(peer, taskId);
  if (peer.era === 'stateless') return result?.content[0]?.text;
  const own = await resultOf<NonNullable<State['result']>>(peer, 'tasks/result', { taskId });
  return own.content[0]?.text;
}

describe.each(['session', 'stateless'] as const)('a task of the %s era', (era: Era) => {
  // A stdio connection has the era of its first request.
  const SERVER = [`--${era}`, '--tasks'];

  it('D13: is created, polled and answered as without the gateway, with ids of our own', async () => {
    const servers = { a: extended(...SERVER, '--name=a'), b: extended(...SERVER, '--name=b') };
    const gateway = gatewayWith('http', { servers });
    const [direct, through] = [
      await directly(servers.a, era, CLIENT),
      await gateway.connect(era, CLIENT),
    ];
    const own = await begin(direct, 'slow_compute', { label: 'x' });
    const [one, two] = [
      await begin(through, 'a:slow_compute', { label: 'x' }),
      await begin(through, 'b:slow_compute', { label: 'y' }),
    ];
    expect(own.taskId).toBe('1');
    expect(Object.keys(one)).toEqual(expect.arrayContaining(Object.keys(own)));
    expect(new Set([own.taskId, one.taskId, two.taskId]).size).toBe(3);
    expect(await outcome(direct, own.taskId)).toBe('a computed x');
    expect(await outcome(through, one.taskId)).toBe('a computed x');
    expect(await outcome(through, two.taskId)).toBe('b computed y');
    // The server's own ids are not known here.
    expect((await errorOf(through, 'tasks/get', { taskId: '1' })).code).toBe(-32602);
  });

  it('D13: asks its caller, can be cancelled, and is listed in the session era', async () => {
    const gateway = gatewayWith('http', { servers: { a: extended(...SERVER) } });
    const peer = await gateway.connect(era, CLIENT);
    const asking = await begin(peer, 'a:confirm_delete', { filename: 'f' });
    await expect
      .poll(async () => (await get(peer, asking.taskId)).status, WAIT)
      .toBe('input_required');
    if (era === 'stateless') {
      const { inputRequests } = await get(peer, asking.taskId);
      const responses = Object.keys(inputRequests!).map((key) => [key, { action: 'accept' }]);
      const inputResponses = Object.fromEntries(responses);
      await resultOf(peer, 'tasks/update', { taskId: asking.taskId, inputResponses });
      expect(await outcome(peer, asking.taskId)).toBe('accept f');
    } else {
      const { questions, result } = await peer.request(
        'tasks/result',
        `"taskId":${JSON.stringify(asking.taskId)}`,
      );
      expect(result).toContain('accept f');
      expect(questions[0]!.params).toContain(asking.taskId);
      expect(result).toContain(asking.taskId);
    }
    const long = await begin(peer, 'a:slow_compute', { seconds: 60 });
    await resultOf(peer, 'tasks/cancel', { taskId: long.taskId });
    expect((await get(peer, long.taskId)).status).toBe('cancelled');
    if (era === 'session') {
      const { tasks } = await resultOf<{ tasks: State[] }>(peer, 'tasks/list');
      expect(tasks.map(({ taskId, status }) => [taskId, status])).toEqual([
        [asking.taskId, 'completed'],
        [long.taskId, 'cancelled'],
      ]);
    } else {
      expect((await errorOf(peer, 'tasks/list')).code).toBe(-32601);
      expect((await errorOf(peer, 'tasks/result', { taskId: long.taskId })).code).toBe(-32601);
    }
  });

  it('D13: belongs to its caller, and to those who may see its tool', async () => {
    const keys = ['ada', 'bob'].map((name) => ({ name, key: createApiKey() }));
    const gateway = gatewayWith('http', {
      servers: { a: extended(...SERVER) },
      settings: {
        auth: { keys: keys.map(({ name, key }) => ({ name, hash: key.hash, roles: ['all'] })) },
        roles: { all: { allow: ['*'] } },
      },
    });
    const url = await gateway.url();
    const [ada, bob, again] = [0, 1, 0].map((i) => {
      const headers = { authorization: `Bearer ${keys[i]!.key.key}` };
      return new HttpPeer(url, era, CLIENT, headers);
    }) as [HttpPeer, HttpPeer, HttpPeer];
    for (const peer of [ada, bob, again]) await peer.open();
    const { taskId } = await begin(ada, 'a:slow_compute', { label: 'mine' });
    for (const method of ['tasks/get', 'tasks/cancel']) {
      expect(await errorOf(bob, method, { taskId })).toMatchObject({ code: -32602 });
    }
    expect(await outcome(again, taskId)).toContain('mine');
  });

  it('D13: is found again after a restart of the gateway, if its server still has it', async () => {
    const remote = new Pipe(extended('--dual', '--tasks', '--http=0', '--name=far'));
    onTestFinished(() => void remote.process.kill());
    const url = await remote.said(/^listening (\S+)/m);
    const first = new TestGateway('http', { servers: { far: { url } } });
    const { taskId } = await begin(await first.connect(era, CLIENT), 'far:slow_compute', {
      label: 'z',
    });
    const { spawnargs } = first.pipe.process;
    first.pipe.process.kill('SIGTERM');
    await first.pipe.close();
    const second = new Pipe({ command: process.execPath, args: spawnargs.slice(1) });
    onTestFinished(async () => {
      second.process.kill('SIGTERM');
      await second.close();
      await first.stop();
    });
    const address = await second.said(/listens on (http:\S+)/);
    const peer = new HttpPeer(new URL('/mcp', address).href, era, CLIENT);
    await peer.open();
    expect(await outcome(peer, taskId)).toBe('far computed z');
  });

  it('D13: is announced if a server supports it, and only then', async () => {
    const announced = async (command: ReturnType<typeof extended>) => {
      const gateway = gatewayWith('http', { servers: { a: command } });
      const url = await gateway.url();
      const look = async (): Promise<Record<string, object>> => {
        const { result } = await new HttpPeer(url, era, CLIENT).open();
        return (JSON.parse(result!) as { capabilities: Record<string, object> }).capabilities;
      };
      await expect.poll(async () => (await look())['tools']).toBeDefined();
      await (await gateway.connect(era, CLIENT)).request('tools/list');
      return look();
    };
    const withTasks = await announced(extended(...SERVER));
    const { extensions = {}, tasks } = withTasks;
    expect(EXTENSION in extensions).toBe(era === 'stateless');
    expect(tasks !== undefined).toBe(era === 'session');
    const without = await announced(extended(`--${era}`));
    expect(without['extensions']).toBeUndefined();
    expect(without['tasks']).toBeUndefined();
  });
});

describe('notifications of a task', () => {
  it('D13: reach the session that it belongs to, with our id', async () => {
    const gateway = gatewayWith('stdio', { servers: { a: extended('--tasks') } });
    const peer = await gateway.connect('session', CLIENT);
    const { taskId } = await begin(peer, 'a:slow_compute', { label: 'n', seconds: 1 });
    const news = () => peer.notes.filter(({ method }) => method === 'notifications/tasks/status');
    await expect.poll(() => news().length, WAIT).toBeGreaterThan(0);
    expect(JSON.parse(news()[0]!.params!)).toMatchObject({ taskId, status: 'completed' });
  });

  it('D13: reach it even if they come before the reply that creates the task', async () => {
    const gateway = gatewayWith('stdio', { servers: { a: extended('--tasks') } });
    const peer = (await gateway.connect('session', CLIENT)) as PipePeer;
    const lines: string[] = [];
    peer.pipe.onLine((line) => lines.push(line));
    const { taskId } = await begin(peer, 'a:hasty_job');
    const isNews = (line: string) => line.includes('notifications/tasks/status');
    await expect.poll(() => lines.filter(isNews).length, WAIT).toBe(1);
    const [reply, news] = [
      lines.findIndex((line) => line.includes('"task"')),
      lines.findIndex(isNews),
    ];
    expect(news).toBeGreaterThan(reply);
    expect(JSON.parse(lines[news]!)).toMatchObject({ params: { taskId, status: 'completed' } });
  });

  it('D13: reach a stateless client that listens for them', async () => {
    const gateway = gatewayWith('stdio', { servers: { a: extended('--stateless', '--tasks') } });
    const peer = (await gateway.connect('stateless', CLIENT)) as PipePeer;
    const { taskId } = await begin(peer, 'a:slow_compute', { seconds: 2 });
    void peer
      .request('subscriptions/listen', `"notifications":{"taskIds":["${taskId}","other"]}`)
      .catch(() => undefined);
    const notesOf = (name: string) => peer.notes.filter(({ method }) => method === name);
    await expect
      .poll(() => notesOf('notifications/subscriptions/acknowledged').length, WAIT)
      .toBe(1);
    const [ack] = notesOf('notifications/subscriptions/acknowledged');
    expect(JSON.parse(ack!.params!)).toMatchObject({ notifications: { taskIds: [taskId] } });
    await expect.poll(() => notesOf('notifications/tasks').length, WAIT).toBeGreaterThan(0);
    const note = JSON.parse(notesOf('notifications/tasks')[0]!.params!) as { _meta: object };
    expect(note).toMatchObject({ taskId, status: 'completed' });
    const subscription = 'io.modelcontextprotocol/subscriptionId';
    expect(note).toHaveProperty(['_meta', subscription], Number(peer.lastId));
  });

  it('refuses too many resources beside a task, and goes on', async () => {
    const gateway = gatewayWith('http', { servers: { a: extended('--stateless', '--tasks') } });
    const peer = await gateway.connect('stateless', CLIENT);
    const resourceSubscriptions = Array.from({ length: 1_001 }, (_, i) => `plain://${i}`);
    const filter = { taskIds: ['other'], resourceSubscriptions };
    const members = `"notifications":${JSON.stringify(filter)}`;
    const { error } = await peer.request('subscriptions/listen', members);
    expect(error).toContain('too-many');
    expect((await peer.request('tools/list')).result).toContain('a:slow_compute');
  });

  it('D13: are asked of a stateless server only while a client listens', async () => {
    const servers = { a: extended('--stateless', '--tasks') };
    const gateway = gatewayWith('http', { servers });
    const peer = (await gateway.connect('stateless', CLIENT)) as HttpPeer;
    const { taskId } = await begin(peer, 'a:slow_compute', { seconds: 600 });
    const listen = async () => {
      const filter = `"notifications":{"taskIds":["${taskId}"]}`;
      const exchange = peer.start('subscriptions/listen', filter);
      onTestFinished(() => exchange.cut());
      await expect.poll(() => exchange.events[0]?.data, WAIT).toContain(taskId);
      return exchange;
    };
    const listened = async (): Promise<string[]> => {
      const params = { name: 'a:listened', arguments: {} };
      const { content } = await resultOf<{ content: { text: string }[] }>(
        peer,
        'tools/call',
        params,
      );
      return JSON.parse(content[0]!.text);
    };
    expect(await listened()).toEqual([]);
    const [one, two] = [await listen(), await listen()];
    // Two clients listen; the server is asked once.
    await expect.poll(listened, WAIT).toEqual(['1']);
    one.cut();
    await peer.request('tools/list');
    expect(await listened()).toEqual(['1']);
    two.cut();
    await expect.poll(listened, WAIT).toEqual([]);
  });
});

describe('the record of a task', () => {
  async function recording(...flags: string[]) {
    const home = new Home();
    const config = home.configure({ a: extended(...flags, '--tasks') });
    const args = [BIN, 'serve', '--config', config, '--http', '0'];
    const pipe = new Pipe({ command: process.execPath, args, env: home.env() });
    onTestFinished(() => void pipe.process.kill());
    const address = await pipe.said(/listens on (http:\S+)/);
    const connect = async (era: Era): Promise<HttpPeer> => {
      const peer = new HttpPeer(new URL('/mcp', address).href, era, CLIENT);
      await peer.open();
      return peer;
    };
    return { home, connect };
  }

  it('D13: has its start and its end, and no polls', async () => {
    const { home, connect } = await recording('--stateless');
    const peer = await connect('stateless');
    const { taskId } = await begin(peer, 'a:failing_job');
    await expect.poll(async () => (await get(peer, taskId)).status, WAIT).toBe('completed');
    await get(peer, taskId);
    await expect
      .poll(() => recordsOf(home, 'a:failing_job'), WAIT)
      .toEqual(['intent tools/call', 'call tools/call ok', 'call tasks/get tool-error']);
  });

  it('D13: has its end even if its caller has disconnected and never asks', async () => {
    const { home, connect } = await recording('--session');
    const peer = await connect('session');
    await begin(peer, 'a:hasty_job');
    await begin(peer, 'a:failing_job');
    await peer.close();
    for (const tool of ['a:hasty_job', 'a:failing_job']) {
      await expect
        .poll(() => recordsOf(home, tool), WAIT)
        .toEqual(['intent tools/call', 'call tools/call ok', 'call tasks/result tool-error']);
    }
  });

  it('D13: has the outcome of the result if a poll says only that the task is over', async () => {
    const { home, connect } = await recording('--session');
    const peer = await connect('session');
    const { taskId } = await begin(peer, 'a:failing_job');
    await expect.poll(async () => (await get(peer, taskId)).status, WAIT).toBe('completed');
    await expect
      .poll(() => recordsOf(home, 'a:failing_job'), WAIT)
      .toEqual(['intent tools/call', 'call tools/call ok', 'call tasks/result tool-error']);
  });
});
