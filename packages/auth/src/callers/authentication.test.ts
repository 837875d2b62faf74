import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

import { SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import type { Principal } from '@callsign/core';

import { createApiKey } from './api-key.js';
import type { AuthSettings, TokenSettings } from './auth-settings.js';
import {
  createAuthentication,
  type Authentication,
  type AuthenticationOptions,
} from './authentication.js';
import { RESOURCE, TokenIssuer } from './testing/token-issuer.js';

const METADATA = 'http://127.0.0.1:3917/.well-known/oauth-protected-resource/mcp';
const NOW = Math.floor(Date.now() / 1000);

function tokensOf(issuer: TokenIssuer, more: Partial<TokenSettings> = {}): AuthSettings {
  const tokens = { issuer: issuer.url, resource: RESOURCE, rolesClaim: 'roles', scopes: [] };
  return { keys: [], sharedKeys: false, tokens: { ...tokens, ...more } };
}

function authenticationOf(
  settings: AuthSettings,
  options: Partial<AuthenticationOptions> = {},
): Authentication {
  return createAuthentication(settings, { fetch, ...options });
}

/** Sends these values of `Authorization`, each as a separate header, over a real socket. */
async function ask({ authenticate }: Authentication, ...values: readonly string[]) {
  const server = createServer();
  const arrived = new Promise<IncomingMessage>((resolve) => {
    server.once('request', (request) => resolve(request));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const headers = values.map((value) => `Authorization: ${value}\r\n`).join('');
  socket.write(`GET /mcp HTTP/1.1\r\nhost: x\r\n${headers}\r\n`);
  try {
    return await authenticate(await arrived);
  } finally {
    socket.destroy();
    server.close();
  }
}

describe('an API key', () => {
  const [ci, ops] = [createApiKey(), createApiKey()];
  const settings: AuthSettings = {
    sharedKeys: false,
    keys: [
      { name: 'ci', hash: ci.hash, roles: ['reader'] },
      { name: 'ops', hash: ops.hash, roles: [] },
    ],
  };

  it('is long, unique, and not readable from its hash', () => {
    expect(ci.key).toMatch(/^callsign_[\w-]{43}$/);
    expect(ci.key).not.toBe(ops.key);
    expect(ci.hash).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('says who is calling, and with which roles', async () => {
    const authentication = authenticationOf(settings);
    const caller = { name: 'key:ci', roles: ['reader'] };
    expect(await ask(authentication, `Bearer ${ci.key}`)).toEqual(caller);
    expect(await ask(authentication, `bearer  ${ci.key}`)).toEqual(caller);
    expect(await ask(authentication, `Bearer ${ops.key}`)).toEqual({ name: 'key:ops', roles: [] });
  });

  it.each([
    ['none', [], 'Bearer realm="callsign"'],
    ['one that is not known', [`Bearer ${createApiKey().key}`], 'error="invalid_token"'],
    ['its hash', [`Bearer ${ci.hash}`], 'error="invalid_token"'],
    ['another scheme', [`Basic ${ci.key}`], 'error="invalid_request"'],
    ['a scheme alone', ['Bearer'], 'error="invalid_request"'],
    ['two words', [`Bearer ${ci.key} ${ci.key}`], 'error="invalid_request"'],
    ['two headers', [`Bearer ${ci.key}`, 'Bearer x'], 'error="invalid_request"'],
  ])('is refused: %s', async (_, values, challenge) => {
    const refused = await ask(authenticationOf(settings), ...values);
    expect(refused).toMatchObject({ status: 401, challenge: expect.stringContaining(challenge) });
    expect(JSON.stringify(refused)).not.toContain(ci.key);
  });

  it('serves no metadata page, since there is no issuer', () => {
    const { pageAt } = authenticationOf(settings);
    expect(pageAt('/.well-known/oauth-protected-resource')).toBeUndefined();
  });
});

describe('a bearer token', () => {
  it('says who is calling, and with which roles', async () => {
    const issuer = await TokenIssuer.start();
    const authentication = authenticationOf(tokensOf(issuer));
    const token = await issuer.token({ roles: ['reader', 'writer'] });
    const caller = { name: 'sub:ann', roles: ['reader', 'writer'] };
    expect(await ask(authentication, `Bearer ${token}`)).toEqual(caller);
  });

  it.each([
    ['roles', { roles: 'reader writer' }],
    ['realm_access.roles', { realm_access: { roles: ['reader', 'writer', 7] } }],
    ['https://example.com/roles', { 'https://example.com/roles': ['reader', 'writer'] }],
    ['scope', { scope: 'reader writer' }],
  ])('has its roles where the configuration says: %s', async (rolesClaim, claims) => {
    const issuer = await TokenIssuer.start();
    const authentication = authenticationOf(tokensOf(issuer, { rolesClaim }));
    const caller = await ask(authentication, `Bearer ${await issuer.token(claims)}`);
    expect(caller).toMatchObject({ roles: ['reader', 'writer'] });
  });

  it('is never confused with a key of the same name', async () => {
    const issuer = await TokenIssuer.start();
    const { key, hash } = createApiKey();
    const both = { ...tokensOf(issuer), keys: [{ name: 'ann', hash, roles: [] }] };
    const authentication = authenticationOf(both);
    const byKey = await ask(authentication, `Bearer ${key}`);
    const byToken = await ask(authentication, `Bearer ${await issuer.token({ sub: 'ann' })}`);
    expect([byKey, byToken]).toMatchObject([{ name: 'key:ann' }, { name: 'sub:ann' }]);
  });

  const BAD: Readonly<Record<string, (issuer: TokenIssuer) => string | Promise<string>>> = {
    expired: (issuer) => issuer.token({ exp: NOW - 120 }),
    'not valid yet': (issuer) => issuer.token({ nbf: NOW + 120 }),
    'without an end': (issuer) => issuer.token({ exp: undefined }),
    'without a subject': (issuer) => issuer.token({ sub: undefined }),
    'of a name that no record could show': (issuer) => issuer.token({ sub: 'a\u202Enn' }),
    'for another resource': (issuer) => issuer.token({ aud: 'http://127.0.0.1:1/mcp' }),
    'for nothing in particular': (issuer) => issuer.token({ aud: undefined }),
    'of another issuer': (issuer) => issuer.token({ iss: 'https://evil.example' }),
    'without a signature': (issuer) =>
      new UnsecuredJWT({ iss: issuer.url, aud: RESOURCE, sub: 'ann', exp: NOW + 300 }).encode(),
    'signed with the public key as a shared secret': (issuer) =>
      new SignJWT({ iss: issuer.url, aud: RESOURCE, sub: 'ann', exp: NOW + 300 })
        .setProtectedHeader({ alg: 'HS256', kid: issuer.publicKey.kid! })
        .sign(new TextEncoder().encode(JSON.stringify(issuer.publicKey))),
    'signed by another with the same key id': async (issuer) => {
      const other = await TokenIssuer.start();
      return other.token({ iss: issuer.url });
    },
    'with a key id that is a path': (issuer) => issuer.token({}, { kid: '../../../dev/null' }),
    'with a key id that is a query': (issuer) => issuer.token({}, { kid: "x' OR '1'='1" }),
    'with keys of its own': async (issuer) => {
      const other = await TokenIssuer.start();
      const header = { kid: 'own', jku: `${other.url}/jwks`, jwk: other.publicKey };
      return other.token({ iss: issuer.url }, header);
    },
    'V19: of another type': (issuer) => issuer.token({}, { typ: 'logout+jwt' }),
    'V19: of a type for proofs': (issuer) => issuer.token({}, { typ: 'dpop+jwt' }),
    'V19: of a type that is no text': (issuer) => issuer.token({}, { typ: 5 as never }),
    'V19: bound to a key': (issuer) => issuer.token({ cnf: { jkt: 'x' } }),
    'cut short': async (issuer) => (await issuer.token()).slice(0, -4),
    garbage: () => 'a.b.c',
    'no token at all': () => 'hello',
  };

  it.each(['at+jwt', 'application/at+jwt', 'JWT'])('V19: may be of type %s', async (typ) => {
    const issuer = await TokenIssuer.start();
    const token = await issuer.token({}, { typ });
    const caller = await ask(authenticationOf(tokensOf(issuer)), `Bearer ${token}`);
    expect(caller).toMatchObject({ name: 'sub:ann' });
  });

  it.each(Object.keys(BAD))('is refused: %s', async (name) => {
    const issuer = await TokenIssuer.start();
    const token = await BAD[name]!(issuer);
    const refused = await ask(authenticationOf(tokensOf(issuer)), `Bearer ${token}`);
    expect(refused).toMatchObject({
      status: 401,
      challenge: expect.stringMatching(
        `^Bearer resource_metadata="${METADATA}", error="invalid_token", error_description="The token is not accepted: [a-z ]+\\."$`,
      ),
    });
    expect(JSON.stringify(refused)).not.toContain(token);
  });

  it('is refused if there are two, even if both are valid', async () => {
    const issuer = await TokenIssuer.start();
    const header = `Bearer ${await issuer.token()}`;
    const refused = await ask(authenticationOf(tokensOf(issuer)), header, header);
    expect(refused).toMatchObject({ status: 401 });
  });

  it('is refused with the missing scope', async () => {
    const issuer = await TokenIssuer.start();
    const authentication = authenticationOf(tokensOf(issuer, { scopes: ['mcp', 'tools'] }));
    const enough = await issuer.token({ scope: 'tools openid mcp' });
    expect(await ask(authentication, `Bearer ${enough}`)).toMatchObject({ name: 'sub:ann' });
    const refused = await ask(authentication, `Bearer ${await issuer.token({ scope: 'mcp' })}`);
    expect(refused).toMatchObject({ status: 403 });
    expect(refused).toHaveProperty('challenge', expect.stringContaining('scope="mcp tools"'));
    expect(refused).toHaveProperty(
      'challenge',
      expect.stringContaining('error="insufficient_scope"'),
    );
  });

  it('may name an audience that is not an address', async () => {
    const issuer = await TokenIssuer.start();
    const authentication = authenticationOf(tokensOf(issuer, { audience: 'callsign' }));
    const good = await issuer.token({ aud: ['other', 'callsign'] });
    expect(await ask(authentication, `Bearer ${good}`)).toMatchObject({ name: 'sub:ann' });
    expect(await ask(authentication, `Bearer ${await issuer.token()}`)).toMatchObject({
      status: 401,
    });
  });

  it('is checked with keys that are fetched once, and with new ones when they change', async () => {
    const issuer = await TokenIssuer.start();
    const authentication = authenticationOf(tokensOf(issuer), { cooldownMs: 0 });
    for (let i = 0; i < 5; i++) {
      const token = await issuer.token({ sub: `user${i}` });
      expect(await ask(authentication, `Bearer ${token}`)).toMatchObject({ name: `sub:user${i}` });
    }
    expect(issuer.seen).toEqual(['/.well-known/oauth-authorization-server', '/jwks']);
    const old = await issuer.token({ sub: 'old' });
    await issuer.rotate();
    const token = await issuer.token({ sub: 'new' });
    expect(await ask(authentication, `Bearer ${token}`)).toMatchObject({ name: 'sub:new' });
    expect(await ask(authentication, `Bearer ${old}`)).toMatchObject({ status: 401 });
  });

  it('with an invented key id does not cause repeated fetches of keys', async () => {
    const issuer = await TokenIssuer.start();
    const authentication = authenticationOf(tokensOf(issuer));
    for (let i = 0; i < 20; i++) {
      await ask(authentication, `Bearer ${await issuer.token({}, { kid: `made-up-${i}` })}`);
    }
    expect(issuer.seen.filter((path) => path === '/jwks')).toHaveLength(1);
  });

  it('is checked once, not with every request', async () => {
    const issuer = await TokenIssuer.start();
    const authentication = authenticationOf(tokensOf(issuer));
    const header = `Bearer ${await issuer.token()}`;
    const first = await ask(authentication, header);
    issuer.isDown = true;
    // One object: things of a principal are found by comparing pointers.
    expect(await ask(authentication, header)).toBe(first);
  });

  it('is accepted for requests and for their calls with the same tolerance (K5)', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW * 1000 });
    onTestFinished(() => void vi.useRealTimers());
    const issuer = await TokenIssuer.start();
    const authentication = authenticationOf(tokensOf(issuer));
    const header = `Bearer ${await issuer.token({ exp: NOW - 1 })}`;
    const ann = (await ask(authentication, header)) as Principal;
    expect(ann).toMatchObject({ name: 'sub:ann' });
    expect(authentication.holds(ann)).toBe(true);
    vi.setSystemTime((NOW + 28) * 1000);
    expect(await ask(authentication, header)).toBe(ann);
    expect(authentication.holds(ann)).toBe(true);
    vi.setSystemTime((NOW + 29) * 1000);
    expect(await ask(authentication, header)).toMatchObject({ status: 401 });
    expect(authentication.holds(ann)).toBe(false);
  });

  it('is not refused as invalid when its issuer cannot be reached, and is accepted when it can', async () => {
    const issuer = await TokenIssuer.start();
    const problems: string[] = [];
    const authentication = authenticationOf(tokensOf(issuer), {
      onProblem: (message) => problems.push(message),
      cooldownMs: 0,
    });
    const header = `Bearer ${await issuer.token()}`;
    issuer.isDown = true;
    for (let i = 0; i < 3; i++) {
      const refused = await ask(authentication, header);
      expect(refused).toMatchObject({ status: 503 });
      expect(refused).toHaveProperty('challenge', expect.not.stringContaining('invalid_token'));
    }
    expect(problems).toEqual([`Tokens cannot be checked: ${issuer.url} answers with 503`]);
    issuer.isDown = false;
    expect(await ask(authentication, header)).toMatchObject({ name: 'sub:ann' });
  });

  it('does not cause repeated requests to an issuer that is down', async () => {
    const issuer = await TokenIssuer.start();
    const authentication = authenticationOf(tokensOf(issuer));
    issuer.isDown = true;
    for (let i = 0; i < 10; i++) {
      const token = await issuer.token({ sub: `user${i}` });
      expect(await ask(authentication, `Bearer ${token}`)).toMatchObject({ status: 503 });
    }
    expect(issuer.seen).toHaveLength(1);
  });

  it('is accepted with known keys while its issuer is down and unknown tokens arrive', async () => {
    const issuer = await TokenIssuer.start();
    const authentication = authenticationOf(tokensOf(issuer), { cooldownMs: 0 });
    await ask(authentication, `Bearer ${await issuer.token()}`);
    issuer.isDown = true;
    const unknownToken = await issuer.token({}, { kid: 'made-up' });
    expect(await ask(authentication, `Bearer ${unknownToken}`)).toMatchObject({ status: 503 });
    const bob = await issuer.token({ sub: 'bob' });
    expect(await ask(authentication, `Bearer ${bob}`)).toMatchObject({ name: 'sub:bob' });
  });

  it('is checked with keys at a given address, without asking the issuer for it', async () => {
    const issuer = await TokenIssuer.start();
    const settings = tokensOf(issuer, { jwksUrl: `${issuer.url}/jwks` });
    const caller = await ask(authenticationOf(settings), `Bearer ${await issuer.token()}`);
    expect(caller).toMatchObject({ name: 'sub:ann' });
    expect(issuer.seen).toEqual(['/jwks']);
  });

  it('is not checked with the keys of an issuer with another name', async () => {
    const issuer = await TokenIssuer.start();
    const otherIssuer = createServer((_, response) => {
      response.end(JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}/jwks` }));
    });
    await new Promise<void>((resolve) => {
      otherIssuer.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => {
      otherIssuer.closeAllConnections();
      otherIssuer.close();
    });
    const url = `http://127.0.0.1:${(otherIssuer.address() as AddressInfo).port}`;
    const authentication = authenticationOf(tokensOf(issuer, { issuer: url }));
    const token = await issuer.token({ iss: url });
    expect(await ask(authentication, `Bearer ${token}`)).toMatchObject({ status: 503 });
  });
});

describe('the metadata of the resource', () => {
  it('names the issuer, at the address where clients look', async () => {
    const issuer = await TokenIssuer.start();
    const { pageAt } = authenticationOf(tokensOf(issuer, { scopes: ['mcp'] }));
    const page = pageAt(new URL(METADATA).pathname)!;
    const short = pageAt('/.well-known/oauth-protected-resource')!;
    expect(await short.text()).toBe(await page.text());
    for (const path of ['/mcp', '/mcp/set/some', '/sse', '/admin'])
      expect(pageAt(`/.well-known/oauth-protected-resource${path}`)?.text()).toBe(
        path === '/mcp' ? await page.text() : undefined,
      );
    expect(pageAt('/mcp')).toBeUndefined();
    expect(page).toMatchObject({ type: 'application/json', isPublic: true });
    expect(JSON.parse(await page.text())).toEqual({
      resource: RESOURCE,
      resource_name: 'Callsign',
      authorization_servers: [issuer.url],
      bearer_methods_supported: ['header'],
      scopes_supported: ['mcp'],
    });
  });
});
