import type { ServerResponse } from 'node:http';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import type { Item } from '@callsign/core';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { META } from '../rpc/message/protocol.js';
import {
  Ear,
  reply,
  replyToHandshake,
  serveByHand,
  startFixture,
  streamOf,
  type HandServer,
} from '../testing/http-peer.js';
import { openHttp, type HttpOptions } from './http-channel.js';

const open: { close(): Promise<unknown> }[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

async function serve(...args: Parameters<typeof serveByHand>): Promise<HandServer> {
  const server = await serveByHand(...args);
  open.push(server);
  return server;
}

function ear(url: string, options: Partial<HttpOptions> = {}): Ear {
  const made = new Ear(
    openHttp({ url, headers: {}, era: 'session', maxMessageBytes: 100_000, ...options }),
  );
  open.push(made.channel);
  return made;
}

function result(message: Record<string, unknown>, value: unknown = {}): object {
  return { jsonrpc: '2.0', id: message['id'], result: value };
}

const PROGRESS = { jsonrpc: '2.0', method: 'notifications/progress', params: {} };

describe('the session era over HTTP', () => {
  it('opens a session and names it from then on', async () => {
    const server = await serve((seen, res) => {
      if (!replyToHandshake(seen, res)) reply(res, 200, result(seen.message));
    });
    const client = ear(server.url, { headers: { Authorization: 'Bearer t', Accept: 'nonsense' } });
    await client.greet();
    await client.answer(client.ask('tools/list'));
    const [first, second, ...others] = server.seen;
    expect(first!.headers).toMatchObject({
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      authorization: 'Bearer t',
    });
    expect(first!.headers).not.toHaveProperty('mcp-session-id');
    expect(first!.headers).not.toHaveProperty('mcp-protocol-version');
    for (const { headers } of [second!, ...others]) {
      expect(headers).toMatchObject({
        'mcp-session-id': 's1',
        'mcp-protocol-version': '2025-06-18',
        authorization: 'Bearer t',
      });
      expect(headers).not.toHaveProperty('mcp-method');
    }
  });

  it('lets nothing overtake the handshake', async () => {
    const order: unknown[] = [];
    const server = await serve(async (seen, res) => {
      await pause(30);
      order.push(seen.message['method'] ?? seen.method);
      if (!replyToHandshake(seen, res)) reply(res, 200, result(seen.message));
    });
    const client = ear(server.url);
    const early = client.ask('tools/list');
    const hello = client.ask('initialize', {});
    const next = client.ask('prompts/list');
    expect(client.channel.backlog).toBeGreaterThan(100);
    client.tell('notifications/initialized');
    const last = client.ask('resources/list');
    await Promise.all([hello, early, next, last].map((id) => client.answer(id)));
    expect(order.slice(0, 1)).toEqual(['initialize']);
    expect(order.indexOf('resources/list')).toBeGreaterThan(
      order.indexOf('notifications/initialized'),
    );
    expect(client.channel.backlog).toBe(0);
  });

  it('does not wait forever for a server that never answers a notification', async () => {
    const server = await serve((seen, res) => {
      if (seen.message['method'] === 'notifications/initialized') return;
      if (!replyToHandshake(seen, res)) reply(res, 200, result(seen.message));
    });
    const client = ear(server.url);
    await client.greet();
    await client.answer(client.ask('tools/list'));
  });

  it('counts answers that the server does not accept as its backlog', async () => {
    const held: ServerResponse[] = [];
    const server = await serve((seen, res) => {
      if (!replyToHandshake(seen, res)) held.push(res);
    });
    const client = ear(server.url);
    await client.greet();
    for (let n = 0; n < 10; n++) client.channel.send(`{"jsonrpc":"2.0","id":${n},"result":{}}`, {});
    await expect.poll(() => held.length).toBe(8);
    expect(client.channel.backlog).toBeGreaterThanOrEqual(10 * 64 * 1024);
    for (const res of held) res.writeHead(202).end();
    await expect.poll(() => held.length).toBe(10);
    for (const res of held.slice(8)) res.writeHead(202).end();
    await expect.poll(() => client.channel.backlog).toBe(0);
  });

  it('attributes what comes on a stream to the request of that stream', async () => {
    const server = await serve((seen, res) => {
      if (replyToHandshake(seen, res)) return;
      const send = streamOf(res);
      send(PROGRESS);
      send({ jsonrpc: '2.0', id: 99, method: 'ping' });
      send(result(seen.message));
      res.end();
    });
    const client = ear(server.url);
    await client.greet();
    const ids = [client.ask('tools/call'), client.ask('tools/call')];
    await Promise.all(ids.map((id) => client.answer(id)));
    for (const id of ids) {
      const mine = client.heard.filter(({ about }) => about === id);
      expect(mine.map(({ message }) => message['method'])).toEqual([
        'notifications/progress',
        'ping',
        undefined,
      ]);
    }
  });

  it('accepts an array of messages, and keeps their text unchanged', async () => {
    const odd = '{"result":{"n":12345678901234567890, "z":1.0},"id":2,"jsonrpc":"2.0"}';
    const server = await serve((seen, res) => {
      if (replyToHandshake(seen, res)) return;
      const body = `[${JSON.stringify(PROGRESS)}, ${odd}]`;
      res.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(body);
    });
    const client = ear(server.url);
    await client.greet();
    await client.answer(client.ask('tools/call'));
    expect(client.heard.map(({ text }) => text)).toContain(odd);
    expect(client.heard.filter(({ about }) => about === 2)).toHaveLength(2);
  });

  it('reads messages that belong to no request, and reconnects when that stream ends', async () => {
    let opened = 0;
    let second: ServerResponse | undefined;
    const server = await serve((seen, res) => {
      if (seen.method !== 'GET') return replyToHandshake(seen, res);
      const send = streamOf(res);
      send({ ...PROGRESS, params: { n: ++opened } }, `id: e${opened}\nretry: 60\n`);
      if (opened === 1) res.end();
      else if (opened === 2) second = res;
    });
    const client = ear(server.url);
    await client.greet();
    // The greeting and two notifications: the second stream breaks after its message has come.
    await client.until(() => client.heard.length === 3);
    second!.destroy();
    await client.until(() => opened === 3 && client.heard.length === 4);
    expect(client.heard.slice(1).map(({ about }) => about)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const gets = server.seen.filter(({ method }) => method === 'GET');
    expect(gets.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, 'e1', 'e2']);
    expect(gets[0]!.headers).toMatchObject({
      accept: 'text/event-stream',
      'mcp-session-id': 's1',
    });
  });

  it('resumes a stream that broke before the answer', async () => {
    const server = await serve((seen, res) => {
      if (seen.method === 'GET' && seen.headers['last-event-id'] === 'e1') {
        streamOf(res)(`{"jsonrpc":"2.0","id":2,"result":{"late":true}}`, 'id: e2\n');
        return;
      }
      if (replyToHandshake(seen, res)) return;
      streamOf(res)('', 'id: e1\nretry: 50\n');
      setTimeout(() => res.destroy(), 20);
    });
    const client = ear(server.url);
    await client.greet();
    const id = client.ask('tools/call');
    expect(await client.answer(id)).toMatchObject({ result: { late: true } });
    expect(client.heard.at(-1)!.about).toBe(id);
  });

  it('stops resuming a stream that the server does not have', async () => {
    const server = await serve((seen, res) => {
      if (seen.method === 'GET' && seen.headers['last-event-id']) return reply(res, 400, {});
      if (replyToHandshake(seen, res)) return;
      streamOf(res)('', 'id: e1\nretry: 50\n');
      res.end();
    });
    const client = ear(server.url);
    await client.greet();
    expect(await client.failure('tools/call')).toMatchObject({
      code: -32000,
      message: `HTTP 400 from ${server.url}`,
      data: { status: 400 },
    });
  });

  it.each([
    ['ends', 'its response had no answer', (res: ServerResponse) => res.end()],
    ['is reset', 'the connection was reset', (res: ServerResponse) => res.destroy()],
  ])('fails a request whose stream %s without an answer or an id', async (_, words, finish) => {
    let stream: ServerResponse | undefined;
    const server = await serve((seen, res) => {
      if (replyToHandshake(seen, res)) return;
      streamOf(res)(PROGRESS);
      stream = res;
    });
    const client = ear(server.url);
    await client.greet();
    const failure = client.failure('tools/call');
    await client.until(() => client.heard.length === 2);
    finish(stream!);
    expect(await failure).toMatchObject({
      code: -32000,
      message: `${words} (${server.url})`,
    });
    expect(client.closed).toEqual([]);
  });

  it('gives the error of the body, under our id', async () => {
    const error = { code: -32050, message: 'Not today', data: { why: [1] } };
    const server = await serve((seen, res) => {
      if (replyToHandshake(seen, res)) return;
      const id = seen.message['method'] === 'a' ? null : seen.message['id'];
      reply(res, seen.message['method'] === 'c' ? 200 : 400, { jsonrpc: '2.0', id, error });
    });
    const client = ear(server.url);
    await client.greet();
    for (const method of ['a', 'b', 'c']) expect(await client.failure(method)).toEqual(error);
  });

  it.each([
    [401, 'application/json', '{"error":"invalid_token","error_description":"secret"}'],
    [403, 'text/plain', 'Forbidden'],
    [500, 'text/html', '<h1>Internal Server Error</h1>'],
    [502, 'text/html', '<h1>Bad gateway</h1>'.repeat(10_000)],
    [400, 'application/json', '{"jsonrpc":"2.0","id":77,"error":{"code":1,"message":"not yours"}}'],
  ])('reports HTTP %i itself if the body says nothing', async (status, type, body) => {
    const server = await serve((seen, res) => {
      if (!replyToHandshake(seen, res))
        res.writeHead(status, { 'content-type': type, 'www-authenticate': 'Bearer x' }).end(body);
    });
    const withSecrets = server.url.replace('//', '//user:pass@');
    const client = ear(`${withSecrets}?key=secret`, { headers: { 'x-key': 'secret' } });
    await client.greet();
    expect(await client.failure('tools/call')).toEqual({
      code: -32000,
      message: `HTTP ${status} from ${server.url}`,
      data: { status },
    });
    expect(server.seen[0]!.headers.authorization).toMatch(/^Basic /);
    expect(server.seen[0]!.path).toBe('/mcp?key=secret');
    expect(client.closed).toEqual([]);
  });

  it.each([429, 503])('says how long a server asks to wait, with %i (G14)', async (status) => {
    const server = await serve((_, res) => res.writeHead(status, { 'retry-after': '7' }).end());
    expect(await ear(server.url).failure('initialize')).toEqual({
      code: -32000,
      message: `HTTP ${status} from ${server.url}, try again in 7 s`,
      data: { status, retryAfterMs: 7_000 },
    });
  });

  it('does not show the part of an address that may be a key', async () => {
    const server = await serve((_, res) => res.writeHead(401).end());
    const url = server.url.replace('/mcp', `/s/${'k'.repeat(40)}/mcp`);
    const { message } = await ear(url).failure('initialize');
    expect(message).toBe(`HTTP 401 from ${server.url.replace('/mcp', '/s/…/mcp')}`);
  });

  it.each([
    ['a page', 200, 'text/html', '<p>Sign in', 'its response is text/html, not JSON'],
    ['nothing', 202, 'text/plain', '', 'its response is text/plain, not JSON'],
    ['nothing of a type', 202, '', '', 'its response had no answer'],
    [
      'half a message',
      200,
      'application/json',
      '{"id":2,"result":{"a"',
      'its response had no answer',
    ],
    ['no message', 200, 'application/json', '{}', 'its response had no answer'],
    [
      'another answer',
      200,
      'application/json',
      '{"id":"3","jsonrpc":"2.0","result":{}}',
      'its response had no answer',
    ],
  ])('fails a request that is answered with %s', async (_, status, type, body, words) => {
    const server = await serve((seen, res) => {
      if (replyToHandshake(seen, res)) return;
      res.writeHead(status, type === '' ? {} : { 'content-type': type }).end(body);
    });
    const client = new Ear((events) =>
      openHttp({ url: server.url, headers: {}, era: 'session', maxMessageBytes: 1_000 })({
        ...events,
        onText: (text, about) =>
          text.startsWith('{') && text.endsWith('}') && events.onText(text, about),
      }),
    );
    open.push(client.channel);
    await client.greet();
    expect(await client.failure('tools/call')).toEqual({
      code: -32000,
      message: `${words} (${server.url})`,
      data: { status },
    });
  });

  it.each([
    ['404', 404, { code: -32001, message: 'Session not found' }],
    ['404, with a page', 404, undefined],
    ['400, as the examples do', 400, { code: -32000, message: 'No valid session ID provided' }],
    ['400, as one server for all does', 400, { code: -32000, message: 'Server not initialized' }],
  ])('closes when the session is gone: %s', async (_, status, error) => {
    const server = await serve((seen, res) => {
      if (replyToHandshake(seen, res)) return;
      if (error) reply(res, status, { jsonrpc: '2.0', id: null, error });
      else res.writeHead(status, { 'content-type': 'text/html' }).end('<p>No');
    });
    const client = ear(server.url);
    await client.greet();
    client.ask('tools/call');
    client.ask('tools/call');
    await client.until(() => client.closed.length > 0);
    // Shows that it does not close twice.
    await pause(20);
    expect(client.closed).toEqual([`its session ended (HTTP ${status})`]);
    await client.channel.close();
    expect(server.seen.some(({ method }) => method === 'DELETE')).toBe(false);
  });

  it('does not treat every 400 as the end of the session', async () => {
    const error = { code: -32602, message: 'Invalid params: session is required' };
    const server = await serve((seen, res) => {
      if (!replyToHandshake(seen, res))
        reply(res, 400, { jsonrpc: '2.0', id: seen.message['id'], error });
    });
    const client = ear(server.url);
    await client.greet();
    expect(await client.failure('tools/call')).toEqual(error);
    expect(client.closed).toEqual([]);
  });

  it('notices a restart on the stream for messages without a request', async () => {
    let isRestarted = false;
    const server = await serve((seen, res) => {
      if (isRestarted) return reply(res, 404, { error: 'no such session' });
      if (seen.method !== 'GET') return replyToHandshake(seen, res);
      streamOf(res)('', 'retry: 50\n');
      setTimeout(() => {
        isRestarted = true;
        res.destroy();
      }, 20);
    });
    const client = ear(server.url);
    await client.greet();
    await client.until(() => client.closed.length > 0);
    expect(client.closed).toEqual(['its session ended (HTTP 404)']);
  });

  it('treats a 404 as a plain failure without a session or for an unknown method', async () => {
    const error = { code: -32601, message: 'Method not found' };
    const server = await serve((seen, res) => {
      if (replyToHandshake(seen, res, seen.headers['x-session'] ? 's1' : '')) return;
      const { id } = seen.message;
      reply(res, 404, seen.headers['x-session'] ? { jsonrpc: '2.0', id, error } : 'no');
    });
    const sessionless = ear(server.url);
    await sessionless.greet();
    expect(await sessionless.failure('tools/call')).toMatchObject({ data: { status: 404 } });
    const client = ear(server.url, { headers: { 'x-session': 'yes' } });
    await client.greet();
    expect(await client.failure('tools/call')).toEqual(error);
    expect([...client.closed, ...sessionless.closed]).toEqual([]);
  });

  it('closes with a reason when no server answers the handshake', async () => {
    const server = await serveByHand(() => undefined);
    await server.close();
    const client = ear(`${server.url}?key=secret`);
    client.ask('initialize');
    await client.until(() => client.closed.length > 0);
    expect(client.closed).toEqual([`connection refused (${server.url})`]);
    const nowhere = ear('http://no-such-host.invalid/mcp');
    nowhere.ask('initialize');
    await nowhere.until(() => nowhere.closed.length > 0);
    expect(nowhere.closed[0]).toMatch(/^its host name .* \(http:\/\/no-such-host.invalid\/mcp\)$/);
  });

  it('fails single requests when the server goes away', async () => {
    const server = await serveByHand((seen, res) => replyToHandshake(seen, res));
    const client = ear(server.url);
    await client.greet();
    await client.until(() => server.seen.length === 3);
    await server.close();
    expect(await client.failure('tools/call')).toEqual({
      code: -32000,
      message: expect.stringMatching(/connection (refused|was reset)/),
    });
    expect(client.closed).toEqual([]);
  });

  it('says which header cannot be sent, and not what is in it', async () => {
    const server = await serve((seen, res) => replyToHandshake(seen, res));
    const client = ear(server.url, { headers: { 'x-key': 'secret\n' } });
    const { message } = await client.failure('initialize');
    expect(message).toContain('x-key');
    expect(message).not.toContain('secret');
  });

  it('follows a redirect within the origin, and remembers it', async () => {
    const server = await serve((seen, res) => {
      if (seen.path === '/mcp') return res.writeHead(307, { location: '/mcp/' }).end();
      if (!replyToHandshake(seen, res)) reply(res, 200, result(seen.message));
    });
    const client = ear(server.url);
    await client.greet();
    await client.answer(client.ask('tools/list'));
    expect(server.seen.filter(({ path }) => path === '/mcp')).toHaveLength(1);
  });

  it.each([
    ['that fails', 503, 'text/plain', '/sorry'],
    ['for people', 200, 'text/html', '/sign-in'],
    ['that redirects without end', 307, '', '/around'],
  ])('asks again at its own address after a redirect to a page %s', async (...page) => {
    const [, status, type, location] = page;
    let isAway = false;
    const server = await serve((seen, res) => {
      if (seen.path === location)
        return res.writeHead(status, { 'content-type': type, location }).end('later');
      if (isAway) return res.writeHead(307, { location }).end();
      if (!replyToHandshake(seen, res)) reply(res, 200, result(seen.message));
    });
    const client = ear(server.url);
    await client.greet();
    isAway = true;
    await client.failure('tools/call');
    isAway = false;
    expect(await client.answer(client.ask('tools/list'))).toMatchObject({ result: {} });
  });

  it('does not send messages where only a GET was redirected to', async () => {
    const docs: string[] = [];
    const notices: string[] = [];
    const server = await serve((seen, res) => {
      if (seen.path === '/docs') {
        docs.push(seen.method);
        return res
          .writeHead(seen.method === 'GET' ? 200 : 404, { 'content-type': 'text/html' })
          .end();
      }
      if (seen.method === 'GET') return res.writeHead(302, { location: '/docs' }).end();
      if (!replyToHandshake(seen, res)) reply(res, 200, result(seen.message));
    });
    const client = ear(server.url, { onNotice: (message) => notices.push(message) });
    await client.greet();
    await client.until(() => notices.length > 0);
    expect(await client.answer(client.ask('tools/list'))).toMatchObject({ result: {} });
    expect(docs).toEqual(['GET']);
  });

  it.each([
    ['a redirect to another origin', 302, { location: 'http://127.0.0.1:1/x' }],
    ['a redirect without an address', 307, {}],
    ['a page', 200, { 'content-type': 'text/html' }],
    ['an error', 500, {}],
  ])('keeps no connection for %s whose body does not end', async (_, status, headers) => {
    const server = await serve((seen, res) => {
      if (replyToHandshake(seen, res)) return;
      res.writeHead(status, headers as Record<string, string>).write('more');
    });
    const client = ear(server.url);
    await client.greet();
    const asked = Array.from({ length: 30 }, () => client.failure('tools/call'));
    expect(await Promise.all(asked)).toHaveLength(30);
    await expect.poll(() => server.connections(), { timeout: 20_000 }).toBe(0);
  });

  it.each([
    ['never answers', () => undefined],
    ['answers without end', (res: ServerResponse) => res.writeHead(202).write('more')],
  ])('needs few connections for messages to a server that %s', async (_, answer) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const notices: string[] = [];
    const taken: unknown[] = [];
    const server = await serve((seen, res) => {
      if (replyToHandshake(seen, res)) return;
      if (seen.message['id'] !== undefined) return reply(res, 200, result(seen.message));
      taken.push(seen.message['method']);
      return answer(res);
    });
    const client = ear(server.url, { onNotice: (message) => notices.push(message) });
    await client.greet();
    await client.answer(client.ask('tools/list'));
    for (let n = 0; n < 3_000; n++) client.tell(`notifications/n${n}`);
    expect(client.channel.backlog).toBeGreaterThan(1_000);
    await expect.poll(() => taken.length).toBe(8);
    expect(await client.answer(client.ask('tools/list'))).toMatchObject({ result: {} });
    expect(await server.connections()).toBeLessThan(12);
    expect(notices).toEqual([expect.stringMatching(/messages wait already/)]);
    // Each gives up its place after ten seconds.
    await vi.advanceTimersByTimeAsync(10_000);
    await expect.poll(() => taken.length).toBe(16);
    // Each has a connection of its own, so they may overtake each other.
    expect(new Set(taken)).toEqual(
      new Set(Array.from({ length: 16 }, (__, n) => `notifications/n${n}`)),
    );
    expect(await server.connections()).toBeLessThan(12);
    client.channel.close();
    await expect.poll(() => server.connections()).toBe(0);
  });

  it.each([
    ['to another origin', 307, 'http://127.0.0.1:1/x?key=secret', /another origin, http:\S+\/x,/],
    ['that would lose the request', 302, '/login', /in a way that would lose the request/],
    ['in a loop', 307, '/mcp', /too often/],
    ['without an address', 307, undefined, /without an address/],
  ])('refuses a redirect %s', async (_, status, location, words) => {
    const server = await serve((__, res) =>
      res.writeHead(status, location === undefined ? {} : { location }).end(),
    );
    const { message, data } = await ear(server.url).failure('initialize');
    expect(message).toMatch(words);
    expect(message).not.toContain('secret');
    expect(data).toEqual({ status });
  });

  it.each([
    [
      'a body',
      (res: ServerResponse) => {
        res.writeHead(200, { 'content-type': 'application/json' });
        return (text: string) => res.write(text);
      },
    ],
    [
      'an event',
      (res: ServerResponse) => {
        res.writeHead(200, { 'content-type': 'text/event-stream' });
        res.write('id: 1\ndata: ');
        return (text: string) => res.write(text);
      },
    ],
  ])('gives up on %s without end', async (_, start) => {
    const closed: number[] = [];
    const server = await serve((seen, res) => {
      if (replyToHandshake(seen, res)) return;
      const write = start(res);
      const timer = setInterval(() => write('x'.repeat(10_000)), 1);
      res.once('close', () => {
        clearInterval(timer);
        closed.push(1);
      });
    });
    const client = ear(server.url);
    await client.greet();
    expect(await client.failure('tools/call')).toEqual({
      code: -32000,
      message: `it sent a message of more than 100000 bytes (${server.url})`,
    });
    await client.until(() => closed.length === 1);
    expect(client.closed).toEqual([]);
    expect(server.seen.some(({ headers }) => headers['last-event-id'])).toBe(false);
  });

  it('waits for an answer that comes byte by byte', async () => {
    const server = await serve(async (seen, res) => {
      if (replyToHandshake(seen, res)) return;
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      const text = JSON.stringify(result(seen.message, { word: 'süß 🎉' }));
      for (const byte of Buffer.from(`: slow\r\n\r\ndata: ${text}\r\n\r\n`)) {
        res.write(Buffer.of(byte));
        await pause(1);
      }
      res.end();
    });
    const client = ear(server.url);
    await client.greet();
    const answer = await client.answer(client.ask('tools/call'));
    expect(answer).toMatchObject({ result: { word: 'süß 🎉' } });
  });

  it('waits for an answer longer than an idle connection may live', async () => {
    const server = await serve(async (seen, res) => {
      if (seen.method === 'GET') return streamOf(res);
      if (replyToHandshake(seen, res)) return undefined;
      // Node's server and our agent close idle connections sooner than this.
      await pause(4_500);
      return reply(res, 200, result(seen.message));
    });
    const client = ear(server.url);
    await client.greet();
    expect(await client.answer(client.ask('tools/call'))).toHaveProperty('result');
    expect(server.seen.filter(({ method }) => method === 'GET')).toHaveLength(1);
    expect(await server.connections()).toBe(2);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['BR', brotliCompressSync],
  ])('reads %s that a server was not asked for, up to the same limit', async (coding, compress) => {
    const server = await serve((seen, res) => {
      if (replyToHandshake(seen, res)) return;
      const bytes = seen.message['method'] === 'bomb' ? 50_000_000 : 1_000;
      const body = compress(JSON.stringify(result(seen.message, { text: 'x'.repeat(bytes) })));
      res.writeHead(200, { 'content-type': 'application/json', 'content-encoding': coding });
      res.end(body);
    });
    const client = ear(server.url);
    await client.greet();
    expect(server.seen[0]!.headers['accept-encoding']).toBe('identity');
    expect(await client.answer(client.ask('tools/call'))).toHaveProperty('result');
    expect((await client.failure('bomb')).message).toMatch(/more than 100000 bytes/);
  });

  it('closes the connection of a cancelled request, and says that this does not cancel it', async () => {
    let ended = 0;
    const server = await serve((seen, res) => {
      if (replyToHandshake(seen, res)) return;
      streamOf(res)(PROGRESS);
      res.once('close', () => ended++);
    });
    const client = ear(server.url);
    const early = client.ask('tools/list');
    expect(client.channel.abandon(early)).toBe(true);
    await client.greet();
    const id = client.ask('tools/call');
    await client.until(() => client.heard.at(-1)!.about === id);
    expect(client.channel.abandon(id)).toBe(false);
    await client.until(() => ended === 1);
    expect(server.seen.some(({ message }) => message['method'] === 'tools/list')).toBe(false);
    expect(client.heard.filter(({ message }) => 'error' in message)).toEqual([]);
  });

  it('does not keep a stream that the server leaves open after its answer', async () => {
    let ended = 0;
    const server = await serve((seen, res) => {
      if (replyToHandshake(seen, res)) return;
      streamOf(res)(result(seen.message));
      res.once('close', () => ended++);
    });
    const client = ear(server.url);
    await client.greet();
    await client.answer(client.ask('tools/call'));
    await client.until(() => ended === 1);
  });

  it('reports a notification that was refused', async () => {
    const server = await serve((seen, res) => {
      if (!replyToHandshake(seen, res)) res.writeHead(500).end();
    });
    const notices: string[] = [];
    const client = ear(server.url, { onNotice: (message) => notices.push(message) });
    await client.greet();
    client.tell('notifications/roots/list_changed');
    await client.until(() => notices.length > 0);
    expect(notices).toEqual([
      `notifications/roots/list_changed was not accepted: HTTP 500 from ${server.url}`,
    ]);
  });

  it('ends the session when it is closed, and leaves no connection', async () => {
    const server = await serve((seen, res) => {
      if (seen.method === 'GET') return streamOf(res);
      if (!replyToHandshake(seen, res)) streamOf(res)(PROGRESS);
    });
    const client = ear(server.url);
    await client.greet();
    client.ask('tools/call');
    await client.until(() => client.heard.length === 2);
    await Promise.all([client.channel.close(), client.channel.close()]);
    expect(server.seen.filter(({ method }) => method === 'DELETE')).toMatchObject([
      { headers: { 'mcp-session-id': 's1', 'mcp-protocol-version': '2025-06-18' } },
    ]);
    await expect.poll(() => server.connections()).toBe(0);
    expect(client.closed).toEqual([]);
    expect(client.heard).toHaveLength(2);
    client.ask('tools/call');
    await client.channel.close();
  });

  it('does not wait long for the end of a session', async () => {
    const server = await serve((seen, res) => {
      if (seen.method !== 'DELETE') replyToHandshake(seen, res);
    });
    const client = ear(server.url);
    await client.greet();
    // The server never answers: a wait without limit would fail the test.
    await client.channel.close();
    expect(server.seen.at(-1)).toMatchObject({ method: 'DELETE' });
  });

  it('makes a thousand calls over few connections, without a leak', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on('warning', onWarning);
    const sockets = new Set<unknown>();
    const server = await serve((seen, res, { socket }) => {
      sockets.add(socket);
      if (replyToHandshake(seen, res)) return;
      if (seen.message['method'] === 'json') return reply(res, 200, result(seen.message));
      streamOf(res)(result(seen.message));
      res.end();
    });
    const client = ear(server.url);
    await client.greet();
    for (let n = 0; n < 1_000; n++) await client.answer(client.ask(n % 2 ? 'json' : 'events'));
    expect(sockets.size).toBeLessThan(10);
    expect(client.channel.backlog).toBe(0);
    await client.channel.close();
    await expect.poll(() => server.connections()).toBe(0);
    const held = (): string[] =>
      process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap');
    await expect.poll(held).toEqual([]);
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });

  it('sends a request again if an idle connection lost it, but never a call', async () => {
    const used = new Set<unknown>();
    let isCutting = false;
    const server = await serve((seen, res, { socket }) => {
      if (isCutting && used.has(socket)) return socket.destroy();
      used.add(socket);
      if (!replyToHandshake(seen, res)) reply(res, 200, result(seen.message));
    });
    const times = (method: string): number =>
      server.seen.filter(({ message }) => message['method'] === method).length;
    const client = ear(server.url);
    await client.greet();
    await client.answer(client.ask('tools/list'));
    await turn();
    isCutting = true;
    await client.answer(client.ask('prompts/list'));
    expect(times('prompts/list')).toBe(2);
    isCutting = false;
    await client.answer(client.ask('tools/list'));
    await turn();
    isCutting = true;
    expect((await client.failure('tools/call')).message).toMatch(/reset/);
    expect(times('tools/call')).toBe(1);
    isCutting = false;
    await client.answer(client.ask('tools/list'));
    await turn();
    isCutting = true;
    // A method of an unknown extension may change something too.
    expect((await client.failure('example/run')).message).toMatch(/reset/);
    expect(times('example/run')).toBe(1);
  });
});

describe('the stateless era over HTTP', () => {
  const stateless = (url: string): Ear => ear(url, { era: 'stateless' });

  it('repeats the body in headers, and opens no session', async () => {
    const server = await serve((seen, res) => reply(res, 200, result(seen.message)));
    const client = stateless(server.url);
    const item: Item = {
      name: 'wörk',
      json: JSON.stringify({
        name: 'wörk',
        inputSchema: {
          properties: {
            region: { type: 'string', 'x-mcp-header': 'Region' },
            deep: { properties: { n: { type: 'integer', 'x-mcp-header': 'N' } } },
            absent: { type: 'boolean', 'x-mcp-header': 'Absent' },
          },
        },
      }),
    };
    const params = { name: 'wörk', arguments: { region: ' eu ', deep: { n: 7 } } };
    const asked = [
      client.ask('tools/call', params, { name: 'wörk', item } as object),
      client.ask('tools/call', params),
      client.ask('prompts/get', { name: 'greet' }),
      client.ask('resources/read', { uri: 'a://b/1' }, { name: 'a://b/{id}' }),
      client.ask('tools/list', { cursor: 'x' }),
    ];
    client.tell('notifications/cancelled');
    await Promise.all(asked.map((id) => client.answer(id)));
    await client.until(() => server.seen.length === 6);
    const headersOf = (id: unknown): object =>
      server.seen.find(({ message }) => message['id'] === id)!.headers;
    const encoded = '=?base64?d8O2cms=?=';
    expect(headersOf(asked[0])).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': encoded,
      'mcp-param-region': '=?base64?IGV1IA==?=',
      'mcp-param-n': '7',
    });
    expect(headersOf(asked[0])).not.toHaveProperty('mcp-param-absent');
    expect(headersOf(asked[1])).toMatchObject({ 'mcp-name': encoded });
    expect(headersOf(asked[1])).not.toHaveProperty('mcp-param-region');
    expect(headersOf(asked[2])).toMatchObject({ 'mcp-name': 'greet' });
    expect(headersOf(asked[3])).toMatchObject({ 'mcp-name': 'a://b/1' });
    expect(headersOf(asked[4])).toMatchObject({ 'mcp-method': 'tools/list' });
    expect(headersOf(asked[4])).not.toHaveProperty('mcp-name');
    await client.channel.close();
    expect(server.seen.every(({ method }) => method === 'POST')).toBe(true);
  });

  it('repeats arguments as a real server expects', async () => {
    const fixture = await startFixture('everything', '--http', '0');
    open.push({ close: fixture.stop });
    const client = stateless(fixture.url);
    const name = 'test_header_arguments';
    const meta = {
      [META.protocolVersion]: '2026-07-28',
      [META.clientCapabilities]: {},
      [META.clientInfo]: { name: 'ear', version: '1' },
    };
    const listed = await client.answer(client.ask('tools/list', { _meta: meta }));
    const { tools } = listed['result'] as { tools: { name: string }[] };
    const json = JSON.stringify(tools.find((tool) => tool.name === name));
    const item: Item = { name, json };
    const params = { name, arguments: { region: 'Zürich\n', attempt: 42, note: 'n' }, _meta: meta };
    const asked = client.ask('tools/call', params, { name, item } as object);
    expect(await client.answer(asked)).toMatchObject({ result: { resultType: 'complete' } });
    // Without the tool's definition its headers are unknown.
    expect(await client.failure('tools/call', params)).toMatchObject({ code: -32020 });
  });

  it('cancels by closing the connection', async () => {
    let ended = 0;
    const server = await serve((_, res) => {
      streamOf(res)(PROGRESS);
      res.once('close', () => ended++);
    });
    const client = stateless(server.url);
    const id = client.ask('tools/call', {});
    await client.until(() => client.heard.length === 1);
    expect(client.channel.abandon(id)).toBe(true);
    await client.until(() => ended === 1);
    // Shows that nothing more arrives.
    await pause(20);
    expect(client.heard).toHaveLength(1);
  });

  it('passes on a refusal of a proxy, and does not resume streams', async () => {
    const error = { code: -32601, message: 'Method not found' };
    const server = await serve((seen, res) => {
      if (seen.message['method'] === 'ping') {
        return reply(res, 404, { jsonrpc: '2.0', id: seen.message['id'], error });
      }
      streamOf(res)(PROGRESS, 'id: 1\n');
      res.end();
    });
    const client = stateless(server.url);
    expect(await client.failure('ping')).toEqual(error);
    expect((await client.failure('tools/call')).message).toMatch(/its response had no answer/);
    expect(server.seen).toHaveLength(2);
  });
});
