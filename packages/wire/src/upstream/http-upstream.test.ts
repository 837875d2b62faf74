import { setTimeout as pause } from 'node:timers/promises';

import { Call, type Caller, type Era, type Reply } from '@callsign/core';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';

import { readMessage } from '../rpc/message/message.js';
import { META } from '../rpc/message/protocol.js';
import type { FixtureName } from '../../../../test/testing/fixture.js';
import { serveByHand, startFixture, streamOf } from '../testing/http-peer.js';
import { Connection } from './connection.js';
import { openHttp } from './http-channel.js';
import { openHttpOrSse } from './http-or-sse.js';
import type { UpstreamOptions } from './upstream-options.js';
import { Upstream } from './upstream.js';

const cleanUp: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step();
});

const LIMITS = { headers: {}, maxMessageBytes: 10_000_000 };

async function fixture(name: FixtureName, ...args: readonly string[]): Promise<string> {
  const { url, stop } = await startFixture(name, ...args);
  cleanUp.push(stop);
  return url;
}

async function upstreamAt(url: string, options: Partial<UpstreamOptions> = {}): Promise<Upstream> {
  const upstream = new Upstream({
    key: 's',
    transport: {
      open: (era) =>
        era === 'session' ? openHttpOrSse({ url, ...LIMITS }) : openHttp({ url, era, ...LIMITS }),
      onePipe: false,
    },
    self: { name: 'callsign', version: '0' },
    restart: { initialMs: 50, maxMs: 200, giveUpAfter: 20 },
    ...options,
  });
  cleanUp.push(() => upstream.stop());
  await upstream.start();
  expect(upstream.state).toEqual({ is: 'ready' });
  return upstream;
}

function callerIn(era: Era, id = 'c'): Caller {
  const capabilities = '{"elicitation":{}}';
  return { id, era, client: { name: id, version: '1' }, capabilities, can: () => true };
}

/** A call as a listener creates it from a client's message. */
function callTo(name: string, args: object = {}, caller: Caller = callerIn('session')): Call {
  const envelope = {
    [META.protocolVersion]: '2026-07-28',
    [META.clientCapabilities]: { elicitation: {} },
    [META.clientInfo]: caller.client,
  };
  const meta = { progressToken: 'mine', ...(caller.era === 'stateless' ? envelope : {}) };
  const params = { name, arguments: args, _meta: meta };
  const text = JSON.stringify({ method: 'tools/call', params });
  return new Call({ ...readMessage(text)!, method: 'tools/call', name, caller } as never);
}

function send(upstream: Upstream, call: Call): Promise<Reply> {
  return upstream.route('tool', call.name)!.send(call);
}

async function resultOf(sent: Promise<Reply>): Promise<Record<string, unknown>> {
  const { ok, json } = await sent;
  expect({ ok, json }).toMatchObject({ ok: true });
  return JSON.parse(json) as Record<string, unknown>;
}

/** Sends a call. Its questions are answered with the caller who was asked. */
async function askAs(
  upstream: Upstream,
  id: string,
  name: string,
  args: object,
): Promise<{ asked: string[]; json: string }> {
  const call = callTo(name, args, callerIn('session', id));
  const asked: string[] = [];
  call.context.ask = async ({ params }) => {
    asked.push(params);
    await pause(20);
    const content = { answer: id, username: id, email: `${id}@x` };
    return { ok: true, json: JSON.stringify({ action: 'accept', content }) };
  };
  const { json } = await send(upstream, call);
  return { asked, json };
}

describe.each([
  ['plain, sessions', 'plain-child', ['--http', '0'], 'session', 'echo'],
  ['plain, stateless', 'plain-child', ['--stateless', '--http', '0'], 'stateless', 'echo'],
  ['plain, both', 'plain-child', ['--dual', '--http', '0'], 'session', 'echo'],
  ['plain, both', 'plain-child', ['--dual', '--http', '0'], 'stateless', 'echo'],
  ['plain, older', 'plain-child', ['--sse', '0'], 'session', 'echo'],
  ['on the SDK', 'everything', ['--http', '0'], 'session', 'test_simple_text'],
  ['on the SDK', 'everything', ['--http', '0'], 'stateless', 'test_simple_text'],
] as const)('a server over HTTP: %s, called from %4$s', (_, name, args, era, tool) => {
  const isPlain = name === 'plain-child';

  it('is greeted, listed and called, and progress comes before the answer', async () => {
    const upstream = await upstreamAt(await fixture(name, ...args));
    expect(upstream.offer.tool.length).toBeGreaterThan(10);
    expect(await resultOf(send(upstream, callTo(tool, {}, callerIn(era))))).toHaveProperty(
      'content',
    );
    const call = isPlain
      ? callTo('progress', { steps: 3, ms: 5 }, callerIn(era))
      : callTo('test_tool_with_progress', {}, callerIn(era));
    const seen: string[] = [];
    call.context.progress = (params, start, end) =>
      void seen.push(`${params.slice(0, start)}"mine"${params.slice(end)}`);
    await resultOf(send(upstream, call).finally(() => seen.push('answered')));
    expect(seen).toHaveLength(4);
    expect(seen.at(-1)).toBe('answered');
    expect(JSON.parse(seen[0]!)).toMatchObject({ progressToken: 'mine' });
  });

  it('is told when a call is cancelled', async () => {
    const upstream = await upstreamAt(await fixture(name, ...args));
    // Its first report shows that the server is working.
    const call = isPlain
      ? callTo('progress', { steps: 2, ms: 60_000 }, callerIn(era))
      : callTo('test_tool_with_progress', {}, callerIn(era));
    const running = new Promise<void>((resolve) => (call.context.progress = () => resolve()));
    const sent = send(upstream, call);
    await running;
    call.context.cancel('enough');
    expect((await sent).json).toContain('call-cancelled');
    if (!isPlain) return;
    await expect
      .poll(() => send(upstream, callTo('cancelled', {}, callerIn(era))).then(({ json }) => json))
      .toMatch(/\[\\?"?\d+/);
  });

  it('announces new tools', async () => {
    const upstream = await upstreamAt(await fixture(name, ...args));
    const trigger = isPlain
      ? callTo('add_tool', { name: 'test_extra_tool' }, callerIn(era))
      : callTo('test_trigger_tool_change', {}, callerIn(era));
    // The stream of changes may open just after the first answers.
    await pause(100);
    await resultOf(send(upstream, trigger));
    await expect.poll(() => upstream.route('tool', 'test_extra_tool')).toBeDefined();
  });
});

/** Timers that keep the process alive. */
const timers = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

it('leaves no timer that keeps a command alive after its work (K2)', async () => {
  const url = await fixture('plain-child', '--http', '0');
  const before = timers();
  const upstream = await upstreamAt(url);
  await upstream.stop();
  expect(timers()).toBeLessThanOrEqual(before);
});

describe('an answer over HTTP that cannot be read', () => {
  it.each([
    '{"jsonrpc":"2.0","id":ID}',
    '{"jsonrpc":"2.0","id":ID,"id":ID,"result":{}}',
    '{"id":"x","jsonrpc":"2.0","id":ID,"result":{"method":"m"}}',
    '{"jsonrpc":"2.0","result":{"half":1,"id":ID',
  ])('fails its request at once, on a stream that stays open: %s', async (text) => {
    const server = await serveByHand(({ message }, res) => {
      streamOf(res)(text.replaceAll('ID', String(message['id'])));
    });
    onTestFinished(() => server.close());
    const { url } = server;
    const connection = new Connection({
      server: 's',
      open: openHttp({ url, headers: {}, era: 'stateless', maxMessageBytes: 100_000 }),
      events: {
        onNotification: () => undefined,
        onQuestion: () => Promise.reject(new Error('no question')),
        onClose: () => undefined,
      },
      maxPending: 10,
      maxBacklog: 1_000,
    });
    onTestFinished(() => connection.close());
    const { fault } = await connection.request('tools/list', '{}', 60_000);
    expect(fault).toMatchObject({ code: 'answer-unreadable' });
  });
});

describe('questions over HTTP', () => {
  it.each([
    ['plain-child', 'ask', (message: string) => ({ kind: 'elicitation', message })],
    ['everything', 'test_elicitation', (message: string) => ({ message })],
  ] as const)('reach the caller who caused them: %s', async (name, tool, args) => {
    const upstream = await upstreamAt(await fixture(name, '--http', '0'), { era: 'session' });
    const ids = ['ann', 'bob', 'cyd'];
    const answers = await Promise.all(
      ids.map((id) => askAs(upstream, id, tool, args(`Is it ${id}?`))),
    );
    for (const [index, { asked, json }] of answers.entries()) {
      expect([json, ...asked]).toHaveLength(2);
      expect(asked[0]).toContain(`Is it ${ids[index]}?`);
      expect(json).toContain(ids[index]);
      for (const other of ids.filter((id) => id !== ids[index])) expect(json).not.toContain(other);
    }
  });

  it('go to a stateless caller as a result', async () => {
    const upstream = await upstreamAt(await fixture('plain-child', '--dual', '--http', '0'));
    const call = callTo('ask', { kind: 'elicitation' }, callerIn('stateless'));
    expect(await resultOf(send(upstream, call))).toMatchObject({ resultType: 'input_required' });
  });
});

describe('a server over HTTP that fails', () => {
  it('may close the stream of a call and answer it later', async () => {
    const upstream = await upstreamAt(await fixture('everything', '--http', '0'));
    const results = await Promise.all(
      ['a', 'b', 'c'].map((id) =>
        resultOf(send(upstream, callTo('test_reconnection', {}, callerIn('session', id)))),
      ),
    );
    for (const { content } of results) {
      expect(content).toMatchObject([{ text: expect.stringContaining('after the stream') }]);
    }
  });

  it('is greeted again after it was restarted', async () => {
    const first = await startFixture('plain-child', '--http', '0');
    const upstream = await upstreamAt(first.url, { era: 'session' });
    await first.stop();
    const { json } = await send(upstream, callTo('echo'));
    expect(json).toMatch(/connection (refused|was reset)/);
    await fixture('plain-child', '--http', new URL(first.url).port);
    await expect
      .poll(
        async () => {
          const route = upstream.route('tool', 'echo');
          return (await route?.send(callTo('echo')))?.ok;
        },
        { timeout: 5_000 },
      )
      .toBe(true);
  });

  it('gets a call again in a new session if it has forgotten the old one', async () => {
    let sessions = 0;
    const taken: string[] = [];
    const result = {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 's', version: '1' },
      tools: [{ name: 'echo', inputSchema: { type: 'object' } }],
    };
    const server = await serveByHand(({ method, headers, message }, res) => {
      const session = String(headers['mcp-session-id']);
      if (method !== 'POST') return res.writeHead(405).end();
      if (message['method'] === 'tools/call' && session !== `s${sessions}`)
        return res.writeHead(404).end();
      if (message['method'] === 'tools/call') taken.push(session);
      const isHandshake = message['method'] === 'initialize';
      const own = isHandshake ? { 'mcp-session-id': `s${++sessions}` } : {};
      if (message['id'] === undefined) return res.writeHead(202).end();
      res.writeHead(200, { 'content-type': 'application/json', ...own });
      return res.end(JSON.stringify({ jsonrpc: '2.0', id: message['id'], result }));
    });
    cleanUp.push(() => server.close());
    const upstream = await upstreamAt(server.url, { era: 'session' });
    const before = sessions;
    // The server was restarted: it knows the last session no longer.
    sessions++;
    expect(await send(upstream, callTo('echo'))).toMatchObject({ ok: true });
    expect(sessions).toBe(before + 2);
    expect(taken).toEqual([`s${sessions}`]);
  });

  it('is not ready while no server listens', async () => {
    const { url, stop } = await startFixture('plain-child', '--http', '0');
    await stop();
    const upstream = new Upstream({
      key: 's',
      transport: { open: (era) => openHttp({ url, era, ...LIMITS }), onePipe: false },
      self: { name: 'callsign', version: '0' },
    });
    cleanUp.push(() => upstream.stop());
    await upstream.start();
    expect(upstream.state).toMatchObject({ is: 'waiting' });
  });
});
