import { createServer, type RequestListener } from 'node:http';
import { createServer as createSocketServer, type AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import { describe, expect, it, onTestFinished } from 'vitest';

import { closedPort } from '../../../../test/adapters/target.js';
import { createHttpClient, type HttpClient, type HttpClientOptions } from './http-client.js';

async function serve(listener: RequestListener): Promise<URL> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/a?b=c`);
}

function client(options: Partial<HttpClientOptions> = {}): HttpClient {
  const made = createHttpClient({ connectTimeoutMs: 10_000, ...options });
  onTestFinished(() => made.close());
  return made;
}

/** Answers with the method, the path, one header and the body of the request. */
const echo: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method, url, headers } = request;
    response.writeHead(201, { 'x-list': ['1', '2'], 'set-cookie': ['a=1', 'b=2'] });
    response.end(
      JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString('utf8') }),
    );
  });
};

/** A server that sends this status line, and the body `ok`. */
async function serveStatus(line: string): Promise<URL> {
  const server = createSocketServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () =>
      socket.end(Buffer.from(`HTTP/1.1 ${line}\r\ncontent-length: 2\r\n\r\nok`, 'latin1')),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

describe('a status line', () => {
  it.each([
    ['200 Gr\u00F6\u00DFe', 200, true, 'Gr\u00F6\u00DFe'],
    ['999 Request denied', 999, false, 'Request denied'],
    ['600', 600, false, ''],
    ['404 not\u0001 found\u007F', 404, false, 'not found'],
  ])('%j becomes a response', async (line, status, ok, statusText) => {
    const response = await client().fetch(await serveStatus(line));
    expect([response.status, response.ok, response.statusText]).toEqual([status, ok, statusText]);
    expect(await response.text()).toBe('ok');
  });
});

describe('a request', () => {
  it('arrives unchanged, and so does the response', async () => {
    const url = await serve(echo);
    const init = { method: 'POST', headers: { 'X-Key': 'k' }, body: 'ä' };
    const response = await client().fetch(url, init);
    expect([response.status, response.url]).toEqual([201, url.href]);
    expect(response.headers.get('x-list')).toBe('1, 2');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await response.json()).toMatchObject({
      method: 'POST',
      url: '/a?b=c',
      headers: { 'x-key': 'k', 'content-length': '2', 'user-agent': 'callsign' },
      body: 'ä',
    });
  });

  it.each(['DELETE', 'OPTIONS', 'PUT', 'PATCH'])(
    'states the length of its body with %s',
    async (method) => {
      const url = await serve(echo);
      const body = 'GET /admin HTTP/1.1\r\nHost: x\r\n\r\n';
      const http = client();
      for (let i = 0; i < 2; i++) {
        const answer = await (await http.fetch(url, { method, body })).json();
        expect(answer).toMatchObject({
          method,
          body,
          headers: { 'content-length': String(body.length) },
        });
      }
    },
  );

  it('names the content type of its body, as the platform does', async () => {
    const url = await serve(echo);
    const form = new URLSearchParams({ grant_type: 'x', code: 'a b' });
    const response = await client().fetch(url, { method: 'POST', body: form });
    expect(await response.json()).toMatchObject({
      headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
      body: 'grant_type=x&code=a+b',
    });
  });

  it('uses the connection of the previous request', async () => {
    const ports = new Set<number | undefined>();
    const url = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('x');
    });
    const http = client();
    for (let i = 0; i < 3; i++) expect(await (await http.fetch(url)).text()).toBe('x');
    expect(ports.size).toBe(1);
  });
});

describe('a response', () => {
  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', (text: string) => Buffer.from(text)],
  ] as const)('in %s is read', async (encoding, encode) => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': encoding });
      response.end(encode('long '.repeat(1000)));
    });
    expect(await (await client().fetch(url)).text()).toBe('long '.repeat(1000));
  });

  it('that does not match its encoding is an error for the reader', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('plain');
    });
    const response = await client().fetch(url);
    await expect(response.text()).rejects.toMatchObject({ code: 'Z_DATA_ERROR' });
  });

  it.each([
    ['GET', 204],
    ['GET', 304],
    ['HEAD', 200],
  ])('to %s with status %i has no body', async (method, status) => {
    const url = await serve((_, response) => response.writeHead(status).end());
    const response = await client().fetch(url, { method });
    expect([response.status, response.body]).toEqual([status, null]);
  });
});

describe('a failure', () => {
  it('of the resolver is the cause', async () => {
    const refusal = new Error('not that one');
    const http = client({ lookup: (_, __, callback) => callback(refusal, '') });
    const failed = http.fetch(new URL('http://name.invalid'));
    await expect(failed).rejects.toMatchObject({ name: 'TypeError', cause: refusal });
  });

  it('to connect is the cause', async () => {
    const url = new URL(`http://127.0.0.1:${await closedPort()}/`);
    await expect(client().fetch(url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });

  it('to connect in time is the cause', async () => {
    // The resolver never answers, so there is never a connection.
    const http = client({ connectTimeoutMs: 20, lookup: () => undefined });
    await expect(http.fetch(new URL('http://name.invalid'))).rejects.toMatchObject({
      cause: { code: 'ETIMEDOUT' },
    });
  });

  it('is the reason of the signal, if it comes before the request, before the response or during it', async () => {
    const before = AbortSignal.abort(new Error('too early'));
    const waiting = new AbortController();
    const url = await serve(() => waiting.abort(new Error('enough')));
    await expect(client().fetch(url, { signal: before })).rejects.toThrow('too early');
    await expect(client().fetch(url, { signal: waiting.signal })).rejects.toThrow('enough');

    const within = new AbortController();
    const slow = await serve((_, response) => {
      response.write('first');
    });
    const response = await client().fetch(slow, { signal: within.signal });
    within.abort(new Error('too long'));
    await expect(response.text()).rejects.toThrow('too long');
  });
});
