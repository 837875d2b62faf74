/** How the console is served: who can sign in, from where, and with which headers. */

import { createHash } from 'node:crypto';
import { request } from 'node:http';

import type { CallResult } from '@callsign/gateway/admin/data';
import { describe, expect, it } from 'vitest';

import { eventually, plain, startGateway, type GatewayProcess } from '../gateway-process.js';
import { adminFetch, consoleLink, signedIn } from './console-link.js';

interface Reply {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly text: string;
}

/** A request with any headers, Host and Origin included. */
function send(
  url: string | URL,
  headers: Record<string, string> = {},
  method = 'GET',
  body = '',
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        resolve({ status: response.statusCode!, headers: response.headers, text });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const start = (settings: object = {}, flags: readonly string[] = []): Promise<GatewayProcess> =>
  startGateway({ servers: { kid: plain() }, settings, listener: 'http', flags });

const at = ({ url }: GatewayProcess, path: string): URL => new URL(path, url);

describe('the page of the console', () => {
  it('needs no credential, holds no data and loads only its own files', async () => {
    const gateway = await start();
    const { status, headers, text } = await send(at(gateway, '/console/'));
    expect(status).toBe(200);
    expect(text).not.toContain('kid');
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|https?:/);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-cache',
    });
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ]),
    );
    expect(policy.join()).not.toContain('unsafe');
    expect(headers).not.toHaveProperty('set-cookie');
  });

  it('is named with the address for clients by the page at the root, which MCP clients do not get', async () => {
    const gateway = await start();
    const { status, text } = await send(at(gateway, '/'));
    expect(status).toBe(200);
    expect(text).toContain(`MCP clients connect to: ${at(gateway, '/mcp').href}\n`);
    expect(text).toContain(`The console for people: ${at(gateway, '/console/').href}\n`);
    const posted = await send(at(gateway, '/'), {}, 'POST', '{}');
    expect(posted).toMatchObject({
      status: 404,
      text: expect.stringContaining('endpoint is /mcp'),
    });
    const open = await start({}, ['--http', '0.0.0.0:0', '--allow-unauthenticated']);
    const { text: elsewhere } = await send(`http://127.0.0.1:${at(open, '/').port}/`);
    expect(elsewhere).toMatch(/ connect to: \/mcp\n$/);
  });

  it('has a redirect from its path without a slash, and no other files', async () => {
    const gateway = await start();
    const { status, headers } = await send(at(gateway, '/console'));
    expect([status, headers['location']]).toEqual([308, 'console/']);
    expect((await send(at(gateway, '/console/package.json'))).status).toBe(404);
    expect((await send(at(gateway, '/console/%2e%2e/package.json'))).status).toBe(404);
    expect((await send(at(gateway, '/console/'), {}, 'POST')).status).toBe(405);
  });
});

describe('the link of callsign console', () => {
  it('signs in once', async () => {
    const gateway = await start();
    const link = new URL(await consoleLink(gateway));
    expect([link.pathname, link.search]).toEqual(['/console/', '']);
    const body = JSON.stringify({ token: link.hash.slice('#token='.length) });
    const first = await send(at(gateway, '/admin/v1/session'), {}, 'POST', body);
    const second = await send(at(gateway, '/admin/v1/session'), {}, 'POST', body);
    expect([first.status, second.status]).toEqual([200, 401]);
    expect(second.text).toContain('already used');
    const { key, role } = JSON.parse(first.text) as { key: string; role: string };
    expect(role).toBe('operator');
    const ask = adminFetch(link.origin, key);
    expect((await ask('GET', '/tools')).status).toBe(200);
    expect((await ask('DELETE', '/session')).status).toBe(200);
    expect((await ask('GET', '/tools')).status).toBe(401);
  });

  it.each([undefined, 'Bearer nonsense', 'Bearer ', 'Basic YTpi'])(
    'is required: %s opens nothing',
    async (authorization) => {
      const gateway = await start();
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      for (const path of ['/tools', '/events', '/approvals', '/console-link', '/session']) {
        const reply = await send(at(gateway, `/admin/v1${path}`), headers);
        expect([path, reply.status]).toEqual([path, 401]);
        expect(reply.text).not.toContain('kid');
      }
    },
  );
});

describe('requests of pages elsewhere', () => {
  it('are refused by their Origin, the port included, and by their Host', async () => {
    const gateway = await start();
    const { origin, port } = new URL(gateway.url);
    const link = new URL(await consoleLink(gateway));
    const body = JSON.stringify({ token: link.hash.slice('#token='.length) });
    const session = at(gateway, '/admin/v1/session');
    for (const other of [
      'http://evil.example',
      `http://127.0.0.1:${Number(port) + 1}`,
      `http://localhost:${port}`,
      'null',
      'tauri://localhost',
    ]) {
      const { status } = await send(session, { origin: other }, 'POST', body);
      expect([other, status]).toEqual([other, 403]);
    }
    expect((await send(session, { host: 'evil.example' }, 'POST', body)).status).toBe(403);
    // None of them has used up the token.
    expect((await send(session, { origin }, 'POST', body)).status).toBe(200);
  });

  it('get no CORS headers and no preflight', async () => {
    const gateway = await start();
    const headers = { origin: 'http://127.0.0.1:1', 'access-control-request-method': 'POST' };
    const reply = await send(at(gateway, '/admin/v1/tools'), headers, 'OPTIONS');
    expect(reply.status).toBe(403);
    expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
  });
});

/** What a replay needs besides the policy. */
function since(path: string): object {
  return path === '/policy/replay' ? { since: '2026-01-01T00:00:00Z' } : {};
}

describe('with auth', () => {
  const hash = (key: string): string => `sha256:${createHash('sha256').update(key).digest('hex')}`;
  const auth = {
    keys: [
      { name: 'boss', hash: hash('k-boss'), console: 'operator' },
      { name: 'guest', hash: hash('k-guest'), console: 'viewer' },
      { name: 'ci', hash: hash('k-ci') },
    ],
  };

  it('a key opens the console with the role in its entry', async () => {
    const gateway = await start({ auth });
    const { origin } = new URL(gateway.url);
    const as = (key: string) => adminFetch(origin, key);
    expect(await as('k-boss')('GET', '/session')).toMatchObject({
      body: { role: 'operator', name: 'key:boss' },
    });
    expect(await as('k-guest')('GET', '/session')).toMatchObject({ body: { role: 'viewer' } });
    expect((await as('k-guest')('GET', '/servers')).status).toBe(200);
    for (const [path, body] of [
      ['/servers/kid/restart', {}],
      ['/policy', { policy: '' }],
      ['/lock/kid', {}],
      ['/tools/kid%3Aecho/call', { arguments: {} }],
      ['/tools/kid%3Aecho/label', { risk: 'read' }],
      ['/approvals/abc', { approve: true }],
      ['/console-link', {}],
      ['/reload', {}],
    ] as const) {
      expect([path, (await as('k-guest')('POST', path, body)).status]).toEqual([path, 403]);
    }
    // A link signs in as the user who runs the gateway, and this user may add servers.
    expect((await as('k-boss')('POST', '/console-link', {})).status).toBe(403);
    const refused = await as('k-ci')<{ error: string }>('GET', '/servers');
    expect(refused.status).toBe(401);
    expect(refused.body.error).toContain('does not open the console');
  });

  it('a key gets a problem for a policy that is nested too deeply', async () => {
    const boss = adminFetch(new URL((await start({ auth })).url).origin, 'k-boss');
    expect(await boss('POST', '/policy', { policy: '['.repeat(5_000) })).toMatchObject({
      status: 200,
      body: { problem: 'This is not JSON, or nested too deeply.' },
    });
  });

  it.each([
    ['a policy', { policy: '{"__proto__":{"destructive":"allow"}}' }, 'cannot have a member'],
    ['a rule', { policy: '{"rules":[{"__proto__":{}}]}' }, 'cannot have a member'],
    ['a request', '{"__proto__":{"policy":""}}', '"policy" is missing'],
    ['a request with a policy', '{"policy":"","__proto__":{}}', 'not known here: __proto__'],
  ])('W8: a member "__proto__" of %s is refused in our words', async (_, given, words) => {
    const gateway = await start({ auth });
    for (const path of ['/policy', '/policy/replay']) {
      const body = typeof given === 'string' ? given : JSON.stringify({ ...given, ...since(path) });
      const { status, text } = await send(
        at(gateway, `/admin/v1${path}`),
        { authorization: 'Bearer k-boss', 'content-type': 'application/json' },
        'POST',
        body,
      );
      expect([path, status, text]).toEqual([path, 400, expect.stringContaining('"error":"')]);
      if (path === '/policy') expect(JSON.parse(text).error).toContain(words);
    }
  });

  it('a key calls a tool with an argument of any name', async () => {
    const gateway = await start({ auth });
    const boss = adminFetch(new URL(gateway.url).origin, 'k-boss');
    await eventually(async () => (await boss('GET', '/tools/kid%3Aecho')).status === 200);
    const { status, text } = await send(
      at(gateway, '/admin/v1/tools/kid%3Aecho/call'),
      { authorization: 'Bearer k-boss', 'content-type': 'application/json' },
      'POST',
      '{"arguments":{"__proto__":{"a":1},"b":2}}',
    );
    expect(status).toBe(200);
    expect(JSON.stringify(JSON.parse(text))).toContain('__proto__');
  });

  it('arguments as text, and the answer to them, keep large numbers exact', async () => {
    const gateway = await start({ auth });
    const boss = adminFetch(new URL(gateway.url).origin, 'k-boss');
    await eventually(async () => (await boss('GET', '/tools/kid%3Aecho')).status === 200);
    const call = (given: unknown) =>
      boss<CallResult>('POST', '/tools/kid%3Aecho/call', { arguments: given });
    const { status, body } = await call('{"id":9007199254740993}');
    expect(status).toBe(200);
    expect(body.json).toContain('9007199254740993');
    expect(body.length).toBe(body.json!.length);
    for (const wrong of ['[]', '{', 'x', 7, null]) expect((await call(wrong)).status).toBe(400);
  });

  it('there is no console on other addresses unless a key opens it', async () => {
    const other = ['--http', '0.0.0.0:0'];
    const [ci] = auth.keys.slice(2);
    const closed = await start({ auth: { keys: [ci] } }, other);
    const open = await start({ auth }, other);
    const address = ({ url }: GatewayProcess, path: string): string =>
      `http://127.0.0.1:${new URL(url).port}${path}`;
    const key = { authorization: 'Bearer k-ci' };
    expect((await send(address(closed, '/console/'), key)).status).toBe(404);
    expect((await send(address(open, '/console/'))).status).toBe(200);
    const link = await send(
      address(open, '/admin/v1/console-link'),
      { authorization: 'Bearer k-boss' },
      'POST',
    );
    expect(link.status).toBe(403);
  });
});

describe('the event stream', () => {
  it('sends the state at once, and then each change', async () => {
    const gateway = await start();
    const ask = await signedIn(gateway);
    const client = await gateway.connect();
    await client.tools();
    const link = new URL(await consoleLink(gateway));
    const { key } = JSON.parse(
      (
        await send(
          at(gateway, '/admin/v1/session'),
          {},
          'POST',
          JSON.stringify({ token: link.hash.slice('#token='.length) }),
        )
      ).text,
    ) as { key: string };
    const stop = new AbortController();
    const response = await fetch(at(gateway, '/admin/v1/events'), {
      headers: { authorization: `Bearer ${key}` },
      signal: stop.signal,
    });
    let text = '';
    const reading = (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of response.body!) text += decoder.decode(chunk as Uint8Array);
    })().catch(() => undefined);
    await eventually(() => /"event":"status"[^\n]*"key":"kid"/.test(text));
    await client.request('tools/call', { name: 'kid:echo', arguments: {} });
    await eventually(() => /"event":"point"[^\n]*"calls":1/.test(text));
    await client.request('tools/call', { name: 'kid:add_tool', arguments: { name: 'fresh' } });
    await eventually(async () => {
      const { body } = await ask<{ tool: string }[]>('GET', '/tools');
      return body.some(({ tool }) => tool === 'fresh');
    });
    await eventually(() => text.split('"event":"tools"').length > 2);
    stop.abort();
    await reading;
  });
});
