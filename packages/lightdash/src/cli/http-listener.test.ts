import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';

import { createLightdashServer } from '../server/lightdash-server.js';
import { clientOf, startSandbox } from '../testing/stage.js';
import { openHttpListener, type HttpListener } from './http-listener.js';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

async function open(key?: string, port = 0): Promise<HttpListener> {
  const client = clientOf(await startSandbox());
  const listener = await openHttpListener(() => createLightdashServer({ client }), {
    host: '127.0.0.1',
    port,
    key,
    onError: () => undefined,
  });
  onTestFinished(() => listener.close());
  return listener;
}

interface Raw {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** A client that sends exactly these headers, `Host` included. */
function send(
  url: string,
  { method = 'POST', path = '/mcp', headers = {}, body = JSON.stringify(LIST) }: Raw = {},
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  return new Promise((resolve, reject) => {
    const accept = 'application/json, text/event-stream';
    const all = { 'Content-Type': 'application/json', Accept: accept, ...headers };
    const request = httpRequest(new URL(path, url), { method, headers: all }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    request.once('error', reject).end(method === 'GET' ? undefined : body);
  });
}

describe('the HTTP listener', () => {
  it('listens on this machine and serves the tools', async () => {
    const { url } = await open();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const { status, text } = await send(url);
    expect(status).toBe(200);
    expect(text).toContain('lightdash_tools__list_charts');
  });

  it.each([
    ['a name that leads here by a trick', { Host: 'evil.example.com' }],
    ['a page of another site', { Origin: 'https://evil.example.com' }],
    ['a page without a site', { Origin: 'null' }],
  ])('refuses %s', async (_, headers) => {
    const { url } = await open();
    const { status, text } = await send(url, { headers });
    expect(status).toBe(403);
    expect(text).not.toContain('lightdash_tools__');
  });

  it('accepts pages of this machine', async () => {
    const { url } = await open();
    const headers = { Origin: 'http://localhost:6274', Host: 'localhost' };
    expect((await send(url, { headers })).status).toBe(200);
  });

  it.each<[string, Raw, number]>([
    ['another path', { path: '/' }, 404],
    ['a path that only begins alike', { path: '/mcp2' }, 404],
    ['a session that it never had', { method: 'GET' }, 405],
    ['another method', { method: 'PATCH' }, 405],
    ['a body that is no JSON', { body: '{' }, 400],
    ['a body without end', { body: `"${'x'.repeat(5 * 1024 * 1024)}"` }, 413],
  ])('answers %s correctly', async (_, raw, status) => {
    const { url } = await open();
    expect((await send(url, raw)).status).toBe(status);
    expect((await send(url)).status).toBe(200);
  });

  it.each([
    ['a bearer token', { Authorization: 'Bearer open sesame' }, 200],
    ['a header of its own', { 'X-API-Key': 'open sesame' }, 200],
    ['nothing', {}, 401],
    ['an empty token', { Authorization: 'Bearer ' }, 401],
    ['a part of it', { 'X-API-Key': 'open' }, 401],
    ['more than it', { 'X-API-Key': 'open sesame!' }, 401],
    ['another scheme', { Authorization: 'Basic open sesame' }, 401],
  ])('with a key, answers %s', async (_, headers, expected) => {
    const { url } = await open('open sesame');
    const { status, headers: sent, text } = await send(url, { headers: { ...headers } });
    expect(status).toBe(expected);
    expect(sent['www-authenticate']).toBe(expected === 401 ? 'Bearer' : undefined);
    expect(text).not.toContain('sesame');
  });

  it('gives each of many concurrent callers their own answer', async () => {
    const { url } = await open();
    const connect = async (): Promise<Client> => {
      const client = new Client({ name: 'one-of-many', version: '1.0.0' });
      await client.connect(new StreamableHTTPClientTransport(new URL(url)));
      onTestFinished(() => client.close());
      return client;
    };
    const clients = await Promise.all([connect(), connect()]);
    const pages = clients.flatMap((client, index) =>
      [1, 2, 3, 4, 5].map(async (page) => {
        const args = { page, pageSize: 5 + index, fields: ['email'] };
        const name = 'lightdash_tools__list_organization_members';
        const { structuredContent } = await client.callTool({ name, arguments: args });
        return [args, structuredContent] as const;
      }),
    );
    for (const [{ page, pageSize }, answer] of await Promise.all(pages)) {
      expect(answer).toMatchObject({ page, pageSize });
    }
  });

  it('reports a port that is in use', async () => {
    const { port } = new URL((await open()).url);
    const again = open(undefined, Number(port));
    await expect(again).rejects.toThrow(`127.0.0.1:${port} cannot be opened (EADDRINUSE). Choose`);
  });

  it('releases its port while a client is still connected', async () => {
    const listener = await open();
    const client = new Client({ name: 'late', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(listener.url)));
    await listener.close();
    await expect(send(listener.url)).rejects.toThrow(/ECONNREFUSED/);
    await client.close();
  });
});
