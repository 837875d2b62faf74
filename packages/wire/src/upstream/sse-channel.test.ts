import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

import { afterEach, describe, expect, it } from 'vitest';

import {
  Ear,
  reply,
  serveByHand,
  startFixture,
  streamOf,
  type HandServer,
} from '../testing/http-peer.js';
import { openSse, type SseOptions } from './sse-channel.js';

const open: { close(): Promise<unknown> }[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

async function serve(...args: Parameters<typeof serveByHand>): Promise<HandServer> {
  const server = await serveByHand(...args);
  open.push(server);
  return server;
}

function ear(url: string, options: Partial<SseOptions> = {}): Ear {
  const made = new Ear(openSse({ url, headers: {}, maxMessageBytes: 100_000, ...options }));
  open.push(made.channel);
  return made;
}

const ENDPOINT = 'event: endpoint\n';

describe('the older pair of stream and address', () => {
  it('talks to a real server', async () => {
    const fixture = await startFixture('plain-child', '--sse', '0');
    open.push({ close: fixture.stop });
    const client = ear(fixture.url);
    const greeting = await client.greet();
    expect(greeting).toMatchObject({ result: { serverInfo: { name: 'plain-child' } } });
    const id = client.ask('tools/call', { name: 'add', arguments: { a: 1, b: 2 } });
    expect(await client.answer(id)).toMatchObject({ result: { structuredContent: { sum: 3 } } });
    expect(client.heard.at(-1)!.about).toBeUndefined();
    await fixture.stop();
    await client.until(() => client.closed.length > 0);
    expect(client.closed[0]).toMatch(/^(its stream of events ended|the connection was reset)/);
  });

  it('holds all messages until it knows the address for posts, and keeps the handshake in order', async () => {
    const order: unknown[] = [];
    const server = await serve(async (seen, res) => {
      if (seen.method === 'GET') {
        expect(seen.headers).toMatchObject({ accept: 'text/event-stream', 'x-key': 'k' });
        await pause(30);
        return streamOf(res)('messages?k=1&sessionId=2', ENDPOINT);
      }
      await pause(order.length === 0 ? 30 : 0);
      order.push(seen.message['method']);
      expect(seen).toMatchObject({ path: '/messages?k=1&sessionId=2', headers: { 'x-key': 'k' } });
      res.writeHead(202).end('Accepted');
    });
    const client = ear(server.url, { headers: { 'X-Key': 'k' } });
    const early = client.ask('prompts/list');
    client.ask('initialize');
    client.tell('notifications/initialized');
    client.ask('tools/list');
    expect(client.channel.backlog).toBeGreaterThan(0);
    expect(client.channel.abandon(early)).toBe(true);
    await client.until(() => order.length === 3);
    expect(order).toEqual(['initialize', 'notifications/initialized', 'tools/list']);
    expect(client.channel.abandon(3)).toBe(false);
  });

  it('does not wait for a POST that stays open after its answer has come', async () => {
    let stream: ReturnType<typeof streamOf> | undefined;
    const server = await serve((seen, res) => {
      if (seen.method === 'GET') {
        stream = streamOf(res);
        stream('/post', ENDPOINT);
      } else stream?.({ jsonrpc: '2.0', id: seen.message['id'], result: {} });
    });
    const client = ear(server.url);
    await client.greet();
    await client.answer(client.ask('tools/list'));
  });

  it('keeps no POST open for a call that was given up, or whose answer has come', async () => {
    let stream: ReturnType<typeof streamOf> | undefined;
    const server = await serve((seen, res) => {
      const { id, method } = seen.message;
      if (seen.method === 'GET') {
        stream = streamOf(res);
        return stream('/post', ENDPOINT);
      }
      if (id === undefined) return res.writeHead(202).end();
      if (method !== 'hang') stream?.({ jsonrpc: '2.0', id, result: {} });
    });
    const client = ear(server.url);
    await client.greet();
    const hanging = Array.from({ length: 20 }, () => client.ask('hang'));
    await Promise.all(Array.from({ length: 20 }, () => client.answer(client.ask('tools/list'))));
    await client.until(() => server.seen.length === 43);
    expect(await server.connections()).toBeGreaterThan(20);
    for (const id of hanging) expect(client.channel.abandon(id)).toBe(false);
    await expect.poll(() => server.connections(), { timeout: 20_000 }).toBe(1);
  });

  it('resolves the address for posts where the stream was redirected to', async () => {
    const server = await serve((seen, res) => {
      if (seen.path === '/mcp') return res.writeHead(302, { location: '/sub/stream' }).end();
      if (seen.method === 'GET') return streamOf(res)('post', ENDPOINT);
      return res.writeHead(202).end();
    });
    const client = ear(server.url);
    client.ask('initialize');
    await client.until(() => server.seen.some(({ path }) => path === '/sub/post'));
  });

  it.each([
    ['another origin', 'http://127.0.0.1:1/x', 'it wants messages sent to another origin'],
    ['no address', 'http://', 'it wants messages sent to another origin'],
  ])('does not post to %s', async (_, endpoint, words) => {
    const server = await serve((__, res) => streamOf(res)(endpoint, ENDPOINT));
    const client = ear(server.url);
    await client.until(() => client.closed.length > 0);
    expect(client.closed).toEqual([expect.stringContaining(words)]);
  });

  it.each([
    ['refuses', (res: ServerResponse) => reply(res, 401, {}), /^HTTP 401 from http:\S+\/mcp$/],
    ['sends a page', (res: ServerResponse) => res.end('<p>'), /^it has no stream of events \(/],
    ['ends the stream', (res: ServerResponse) => streamOf(res) && res.end(), /^its stream of/],
    [
      'sends an endless event',
      (res: ServerResponse) => {
        streamOf(res)('/x', ENDPOINT);
        res.write(`data: ${'x'.repeat(200_000)}`);
      },
      /^it sent a message of more than 100000 bytes \(/,
    ],
  ])('closes once when the server %s', async (_, answer, words) => {
    const server = await serve((__, res) => answer(res));
    const client = ear(`${server.url}?key=secret`);
    await client.until(() => client.closed.length > 0);
    // Shows that it does not close twice.
    await pause(20);
    expect(client.closed).toEqual([expect.stringMatching(words)]);
    expect(client.closed[0]).not.toContain('secret');
  });

  it('closes if no server listens', async () => {
    const server = await serveByHand(() => undefined);
    await server.close();
    const client = ear(server.url);
    await client.until(() => client.closed.length > 0);
    expect(client.closed).toEqual([`connection refused (${server.url})`]);
  });

  it('fails a request that is refused, and closes when its session has ended', async () => {
    const notices: string[] = [];
    const server = await serve((seen, res) => {
      if (seen.method === 'GET') return streamOf(res)('/post?key=secret', ENDPOINT);
      const statuses: Record<string, number> = { bad: 400, broken: 500, gone: 404 };
      res.writeHead(statuses[seen.message['method'] as string] ?? 202).end('Invalid message');
    });
    const client = ear(server.url, { onNotice: (message) => notices.push(message) });
    client.ask('initialize');
    expect(await client.failure('bad')).toEqual({
      code: -32000,
      message: `HTTP 400 from ${server.url.replace('/mcp', '/post')}`,
      data: { status: 400 },
    });
    client.tell('broken');
    await client.until(() => notices.length > 0);
    expect(notices[0]).toMatch(/^broken was not accepted: HTTP 500 from [^?]*$/);
    client.ask('gone');
    await client.until(() => client.closed.length > 0);
    expect(client.closed).toEqual(['its session ended (HTTP 404)']);
  });

  it('leaves no connection open and sends nothing after it is closed', async () => {
    const server = await serve((seen, res) => {
      if (seen.method === 'GET') streamOf(res)('/post', ENDPOINT);
    });
    const client = ear(server.url);
    client.ask('initialize');
    await client.until(() => server.seen.length === 2);
    await client.channel.close();
    await expect.poll(() => server.connections()).toBe(0);
    expect(client.closed).toEqual([]);
    expect(client.heard).toEqual([]);
  });
});
