import { createServer, type RequestListener } from 'node:http';
import { createServer as createSocketServer, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import { describe, expect, it, onTestFinished } from 'vitest';

import { closedPort } from '../../../../test/adapters/target.js';
import { discard, readText } from './body.js';
import { HttpClient, type HttpClientOptions, type HttpResponse } from './http-client.js';

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
  const made = new HttpClient(options);
  onTestFinished(() => made.close());
  return made;
}

const textOf = ({ body }: HttpResponse): Promise<string> => readText(body, 100_000);

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

describe('a request', () => {
  it('arrives unchanged, and so does the response', async () => {
    const url = await serve(echo);
    const init = { method: 'POST', headers: { 'X-Key': 'k' }, body: 'ä' };
    const response = await client().request(url, init);
    expect([response.status, response.url.href]).toEqual([201, url.href]);
    expect(response.headers).toMatchObject({ 'x-list': '1, 2', 'set-cookie': ['a=1', 'b=2'] });
    expect(JSON.parse(await textOf(response))).toMatchObject({
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
        const answer: unknown = JSON.parse(await textOf(await http.request(url, { method, body })));
        expect(answer).toMatchObject({
          method,
          body,
          headers: { 'content-length': String(body.length) },
        });
      }
    },
  );

  it('uses the connection of an earlier request', async () => {
    const ports = new Set<number | undefined>();
    const url = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('x');
    });
    const http = client();
    for (let i = 0; i < 5; i++) {
      expect(await textOf(await http.request(url))).toBe('x');
      await turn();
    }
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
    expect(await textOf(await client().request(url))).toBe('long '.repeat(1000));
  });

  it('that does not match its encoding is an error for the reader', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('plain');
    });
    const response = await client().request(url);
    await expect(textOf(response)).rejects.toMatchObject({ code: 'Z_DATA_ERROR' });
  });

  it.each([
    ['GET', 204],
    ['GET', 304],
    ['HEAD', 200],
  ])('to %s with status %i has no body', async (method, status) => {
    const url = await serve((_, response) => response.writeHead(status).end());
    const response = await client().request(url, { method });
    expect([response.status, await textOf(response)]).toEqual([status, '']);
  });
});

describe('a failure', () => {
  it('of the resolver is passed on', async () => {
    const refusal = new Error('not that one');
    const http = client({ guard: { lookup: (_, callback) => callback(refusal, []) } });
    await expect(http.request('http://name.invalid')).rejects.toBe(refusal);
  });

  it('to connect has the code of Node', async () => {
    const failed = client().request(`http://127.0.0.1:${await closedPort()}/`);
    await expect(failed).rejects.toMatchObject({ code: 'ECONNREFUSED', isSent: false });
  });

  it('to connect in time says so', async () => {
    // The resolver never answers, so there is never a connection.
    const http = client({ connectTimeoutMs: 20, guard: { lookup: () => undefined } });
    await expect(http.request('http://name.invalid')).rejects.toMatchObject({
      message: 'Connection timed out.',
      code: 'ETIMEDOUT',
      isSent: false,
    });
  });

  it('after the request was sent may have had an effect', async () => {
    const url = await serve((request) => request.socket.destroy());
    const failed = client().request(url, { method: 'POST', body: 'x' });
    await expect(failed).rejects.toMatchObject({ code: 'ECONNRESET', isSent: true });
  });

  it('is the reason of the signal, if it comes before the request, before the response or during it', async () => {
    const before = AbortSignal.abort(new Error('too early'));
    const waiting = new AbortController();
    const url = await serve(() => waiting.abort(new Error('enough')));
    await expect(client().request(url, { signal: before })).rejects.toThrow('too early');
    await expect(client().request(url, { signal: waiting.signal })).rejects.toThrow('enough');

    const within = new AbortController();
    const slow = await serve((_, response) => {
      response.write('first');
    });
    const response = await client().request(slow, { signal: within.signal });
    within.abort(new Error('too long'));
    await expect(textOf(response)).rejects.toThrow('too long');
  });
});

describe('an idle connection that the server closes at the moment of the next request', () => {
  /** Answers the first request of a connection, and closes it with the second. */
  async function forgetful(): Promise<{ url: URL; requests: () => number }> {
    let requests = 0;
    const server = createSocketServer((socket) => {
      let isUsed = false;
      socket.on('error', () => undefined);
      socket.on('data', () => {
        requests++;
        if (isUsed) return void socket.destroy();
        isUsed = true;
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    return { url: new URL(`http://127.0.0.1:${port}/`), requests: () => requests };
  }

  it('costs a request that may be repeated nothing: it goes out again on a new one', async () => {
    const { url, requests } = await forgetful();
    const http = client();
    // Two idle connections: the second is as dead as the first.
    const both = [http.request(url), http.request(url)];
    for (const response of both) await textOf(await response);
    await turn();
    const again = await http.request(url, { method: 'POST', body: 'x', mayRepeat: 'always' });
    expect(await textOf(again)).toBe('ok');
    expect(requests()).toBe(4);
  });

  it('fails a request that must not be repeated, and is the only one to fail: the others are dropped too (G7)', async () => {
    const { url, requests } = await forgetful();
    const http = client();
    const three = [http.request(url), http.request(url), http.request(url)];
    for (const response of three) await textOf(await response);
    await turn();
    const post = { method: 'POST', body: 'x' };
    await expect(http.request(url, post)).rejects.toMatchObject({ code: 'ECONNRESET' });
    const others = [http.request(url, post), http.request(url, post), http.request(url, post)];
    for (const response of others) expect(await textOf(await response)).toBe('ok');
    expect(requests()).toBe(7);
  });

  it('costs a request nothing that may be repeated only on such a connection (G7)', async () => {
    const { url, requests } = await forgetful();
    const http = client();
    await textOf(await http.request(url));
    await turn();
    const again = await http.request(url, { method: 'POST', body: 'x', mayRepeat: 'if-reused' });
    expect(await textOf(again)).toBe('ok');
    expect(requests()).toBe(3);
  });

  it('is not the same as a new one that breaks: that request is not sent again (G7)', async () => {
    let requests = 0;
    const server = createSocketServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => {
        requests++;
        socket.destroy();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const request = { method: 'POST', body: 'x', mayRepeat: 'if-reused' } as const;
    const sent = client().request(`http://127.0.0.1:${port}/`, request);
    await expect(sent).rejects.toMatchObject({ code: 'ECONNRESET', isSent: true });
    expect(requests).toBe(1);
  });

  it('fails a request that must not be repeated', async () => {
    const { url, requests } = await forgetful();
    const http = client();
    await textOf(await http.request(url));
    await turn();
    await expect(http.request(url, { method: 'POST', body: 'x' })).rejects.toMatchObject({
      code: 'ECONNRESET',
      isSent: true,
    });
    expect(requests()).toBe(2);
  });
});

describe('connections', () => {
  it('are closed by an abort, before the response and within it', async () => {
    const sockets = new Set<Socket>();
    const url = await serve(({ socket, url: path }, response) => {
      sockets.add(socket);
      if (path === '/stream') response.write('first');
    });
    for (const path of ['/silent', '/stream']) {
      const leaving = new AbortController();
      const asked = client().request(new URL(path, url), { signal: leaving.signal });
      asked.catch(() => undefined);
      await expect.poll(() => sockets.size).toBe(1);
      if (path === '/stream') await asked;
      leaving.abort();
      await expect.poll(() => [...sockets].every((socket) => socket.destroyed)).toBe(true);
      sockets.clear();
    }
  });

  it('that no request waits for any more are not opened', async () => {
    const opened: Socket[] = [];
    const http = client({
      guard: { lookup: () => undefined },
      onSocket: (socket) => opened.push(socket),
    });
    const asked = http.request('http://name.invalid', { signal: AbortSignal.timeout(20) });
    await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(opened.map(({ destroyed }) => destroyed)).toEqual([true]);
  });

  it('end with the client, and so do requests', async () => {
    const url = await serve(() => undefined);
    const http = client();
    const asked = http.request(url);
    asked.catch(() => undefined);
    await expect.poll(() => http.isBusy).toBe(true);
    http.close();
    await expect(asked).rejects.toMatchObject({ code: 'ECONNABORTED' });
    await expect(http.request(url)).rejects.toMatchObject({ code: 'ECONNABORTED' });
    expect(http.isBusy).toBe(false);
  });

  it('are used again after a body that was not needed', async () => {
    const ports = new Set<number | undefined>();
    const url = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('x'.repeat(10_000));
    });
    const http = client();
    for (let i = 0; i < 3; i++) {
      const { body } = await http.request(url);
      discard(body);
      await new Promise((resolve) => body.once('close', resolve));
      await turn();
    }
    expect(ports.size).toBe(1);
  });
});
