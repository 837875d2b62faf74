import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import {
  byName,
  callerIn,
  INITIALIZE,
  openGuarded,
  openSession,
  request,
  statelessCall,
} from './testing/guarded-listener.js';
import type { Authenticate } from './authenticate.js';
import type { Page } from './http-listener.js';

const CALL = { id: 2, method: 'tools/call', params: { name: 's:whoami', arguments: {} } };
const PAGES: ReadonlyMap<string, Page> = new Map([
  ['/metrics', { type: 'text/plain', text: () => 'calls 1' }],
  ['/about', { type: 'text/plain', isPublic: true, text: async () => 'open' }],
]);
const pageAt = (path: string): Page | undefined => PAGES.get(path);

describe('a listener with authentication', () => {
  it.each([
    ['POST', '/mcp'],
    ['GET', '/mcp'],
    ['DELETE', '/mcp'],
    ['PUT', '/mcp'],
    ['POST', '/mcp/profile/canonical'],
    ['GET', '/sse'],
    ['POST', '/messages?sessionId=x'],
    ['GET', '/metrics'],
    ['GET', '/nothing'],
  ])('refuses requests without a credential: %s %s', async (method, path) => {
    const url = await openGuarded({ pageAt });
    const response = await request(url + path, undefined, { method });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(await response.json()).toMatchObject({ error: { message: 'Who is it?' } });
  });

  it('serves health and public pages to everyone, other pages with a credential only', async () => {
    const url = await openGuarded({ pageAt });
    const get = (path: string, who?: string) => request(url + path, who, { method: 'GET' });
    expect(await (await get('/healthz')).json()).toEqual({ status: 'ok' });
    expect(await (await get('/about')).text()).toBe('open');
    const metrics = await get('/metrics', 'ann');
    expect(metrics.headers.get('content-type')).toBe('text/plain');
    expect(await metrics.text()).toBe('calls 1');
    expect((await request(`${url}/metrics`, 'ann', { method: 'POST' })).status).toBe(405);
  });

  it('answers 500 for a page that throws, at once or later, and keeps serving', async () => {
    const broken: ReadonlyMap<string, Page> = new Map([
      ['/now', { type: 'text/plain', isPublic: true, text: () => fail() }],
      ['/later', { type: 'text/plain', isPublic: true, text: async () => fail() }],
    ]);
    const fail = (): string => {
      throw new Error('a secret of ours');
    };
    const url = await openGuarded({ pageAt: (path) => broken.get(path), warn: () => undefined });
    for (const path of broken.keys()) {
      const response = await request(url + path, undefined, { method: 'GET' });
      expect(response.status).toBe(500);
      expect(await response.text()).not.toContain('secret');
    }
    expect((await request(`${url}/healthz`, undefined, { method: 'GET' })).status).toBe(200);
  });

  it('answers before the body has arrived, and does not wait for it forever', async () => {
    const { port } = new URL(await openGuarded());
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      'POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n',
    );
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 401 /);
    await once(socket, 'close');
  });

  it('refuses web pages under another host name before it asks for a credential', async () => {
    let asked = 0;
    const authenticate: Authenticate = (incoming) => {
      asked++;
      return byName(incoming);
    };
    const url = await openGuarded({ authenticate });
    const headers = { origin: 'https://evil.example' };
    expect((await request(`${url}/mcp`, 'ann', { message: CALL, headers })).status).toBe(403);
    expect(asked).toBe(0);
  });

  it('continues when a client disconnects during authentication', async () => {
    let decide = (): void => undefined;
    let hear = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => (hear = resolve));
    const authenticate: Authenticate = (incoming) => {
      if (incoming.headers['x-slow'] === undefined) return byName(incoming);
      hear();
      return new Promise((resolve) => {
        decide = () => resolve({ name: 'ann', roles: [] });
      });
    };
    const url = await openGuarded({ authenticate });
    const leaving = new AbortController();
    const gone = fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'x-slow': '1' },
      body: '{}',
      signal: leaving.signal,
    }).catch((error: Error) => error.name);
    await isAsked;
    leaving.abort();
    expect(await gone).toBe('AbortError');
    decide();
    expect(callerIn(await statelessCall(`${url}/mcp`, 'bob', 's:whoami')).principal).toEqual({
      name: 'bob',
      roles: [],
    });
  });
});

describe('the principal of a request', () => {
  it('is that of its calls in a session', async () => {
    const url = `${await openGuarded()}/mcp`;
    const headers = { 'mcp-session-id': await openSession(url, 'ann/reader') };
    const response = await request(url, 'ann/reader', { message: CALL, headers });
    expect(callerIn(await response.json()).principal).toEqual({ name: 'ann', roles: ['reader'] });
  });

  it('is that of its calls without a session, and separates callers', async () => {
    const url = `${await openGuarded()}/mcp`;
    const ann = callerIn(await statelessCall(url, 'ann/reader', 's:whoami'));
    expect(ann).toEqual({ principal: { name: 'ann', roles: ['reader'] }, id: 'ann' });
    const bob = callerIn(await statelessCall(url, 'bob', 's:whoami'));
    expect(bob.principal).toEqual({ name: 'bob', roles: [] });
  });

  it('is that of its calls over the older pair of endpoints, even if authentication is slow', async () => {
    const later = async (incoming: Parameters<Authenticate>[0]) => {
      await setImmediate();
      return byName(incoming)!;
    };
    const url = await openGuarded({ authenticate: later });
    const { endpoint, next } = await openSse(url, 'ann');
    await request(url + endpoint, 'ann', { message: INITIALIZE });
    await next();
    await request(url + endpoint, 'ann', { message: CALL });
    expect(callerIn(JSON.parse(await next())).principal).toEqual({ name: 'ann', roles: [] });
  });
});

describe('a thing that belongs to one principal', () => {
  it.each(['bob', 'ann/admin'])('such as a session does not exist for %s', async (other) => {
    const url = `${await openGuarded()}/mcp`;
    const headers = { 'mcp-session-id': await openSession(url, 'ann') };
    const status = async (method: string, message?: object) =>
      (await request(url, other, { method, headers, ...(message ? { message } : {}) })).status;
    expect(await status('POST', CALL)).toBe(404);
    expect(await status('GET')).toBe(404);
    expect(await status('DELETE')).toBe(404);
    // Its own handshake does not reveal that this id is in use.
    expect(await status('POST', INITIALIZE)).toBe(200);
    const own = await request(url, 'ann', { message: CALL, headers });
    expect(own.status).toBe(200);
  });

  it.each([
    ['ann/a/b', 'ann/b/a', 200],
    ['ann/a/b', 'ann/a/a', 404],
    ['ann/a/a', 'ann/a/b', 404],
  ])('such as a session of %s, requested by %s, answers %i', async (owner, other, status) => {
    const url = `${await openGuarded()}/mcp`;
    const headers = { 'mcp-session-id': await openSession(url, owner) };
    expect((await request(url, other, { message: CALL, headers })).status).toBe(status);
  });

  it('such as a session of the older pair does not exist for another', async () => {
    const url = await openGuarded();
    const { endpoint } = await openSse(url, 'ann');
    expect((await request(url + endpoint, 'bob', { message: INITIALIZE })).status).toBe(404);
    expect((await request(url + endpoint, 'ann', { message: INITIALIZE })).status).toBe(202);
  });

  it('such as a pending call can be continued by that principal only', async () => {
    const url = `${await openGuarded()}/mcp`;
    const pending = await statelessCall(url, 'ann', 's:confirm');
    const { requestState, inputRequests } = pending['result'] as {
      requestState: string;
      inputRequests: Record<string, unknown>;
    };
    const [key = ''] = Object.keys(inputRequests);
    const inputResponses = { [key]: { action: 'accept', content: {} } };
    const taken = await statelessCall(url, 'bob', 's:confirm', { requestState, inputResponses });
    expect(taken).toMatchObject({ error: { data: { code: 'request-state-invalid' } } });
    const done = await statelessCall(url, 'ann', 's:confirm', { requestState, inputResponses });
    expect(done).toMatchObject({ result: { content: [{ text: 'asked true' }] } });
  });
});

describe('a stream that stays open', () => {
  it.each<[string, Awaited<ReturnType<Authenticate>> | Error, boolean]>([
    ['the same caller', { name: 'ann', roles: ['b', 'a'] }, false],
    ['a caller that cannot be checked now', { status: 503, challenge: '', message: '' }, false],
    ['a check that fails', new Error('no'), false],
    ['no caller any more', { status: 401, challenge: '', message: '' }, true],
    ['other roles', { name: 'ann', roles: ['a'] }, true],
    ['another set', { name: 'ann', roles: ['a', 'b'], set: 'small' }, true],
  ])('is looked at again: %s', async (_, later, isEnded) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    let isLater = false;
    let checks = 0;
    const warned: string[] = [];
    const authenticate: Authenticate = async () => {
      checks++;
      if (!isLater) return { name: 'ann', roles: ['a', 'b'] };
      if (later instanceof Error) throw later;
      return later!;
    };
    const url = await openGuarded({ authenticate, warn: (message) => void warned.push(message) });
    const { next } = await openSse(url, 'ann');
    isLater = true;
    checks = 0;
    const ended = next().catch((error: Error) => error.message);
    vi.advanceTimersByTime(15_000);
    if (isEnded) expect(await ended).toBe('The stream ended.');
    else {
      await expect.poll(() => checks).toBe(1);
      expect(await Promise.race([ended, setImmediate('open')])).toBe('open');
      vi.advanceTimersByTime(15_000);
      await expect.poll(() => checks).toBe(2);
    }
    // Once, though it failed twice.
    await expect.poll(() => warned).toHaveLength(later instanceof Error ? 1 : 0);
  });
});

/** A stream of the older kind, and each message on it in turn. */
async function openSse(url: string, who: string) {
  const stream = await request(`${url}/sse`, who, { method: 'GET' });
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const next = async (): Promise<string> => {
    for (;;) {
      const event = /^event: \w+\ndata: (.*)\n\n/.exec(text);
      if (event) {
        text = text.slice(event[0].length);
        return event[1]!;
      }
      const { value, done } = await reader.read();
      if (done) throw new Error('The stream ended.');
      text += value;
    }
  };
  return { endpoint: await next(), next };
}
