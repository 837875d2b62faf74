/** Sign-in to the gateway, step by step, and the attacks on it. */

import { describe, expect, it } from 'vitest';

import { createApiKey, hashOf } from '../callers/api-key.js';
import { revokeSignIns } from './caller-sign-in-state.js';
import { Browser } from './testing/browser.js';
import {
  ANN,
  CLIENT,
  REDIRECT,
  SigningInGateway,
  type Tokens,
  VERIFIER,
} from './testing/signing-in-gateway.js';

const operatorWith = (role: string) => ({ keys: false, operator: { roles: [role] } });
const PRINCIPAL = { name: 'key:ann', roles: ['reader'] };

async function errorOf(response: Response): Promise<unknown> {
  expect(response.ok).toBe(false);
  return ((await response.json()) as { error: unknown }).error;
}

describe('a sign-in', () => {
  it('leads from a key to tokens, which stand for the holder of the key', async () => {
    const gateway = await SigningInGateway.start();
    const answer = await gateway.code();
    expect(Object.fromEntries(answer)).toMatchObject({ state: 'the-state', iss: gateway.origin });
    const response = await gateway.exchange(answer.get('code')!);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const tokens = (await response.json()) as Tokens;
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'mcp' });
    expect(await gateway.callerOf(tokens.access_token)).toEqual(PRINCIPAL);
    const next = (await (await gateway.refresh(tokens.refresh_token)).json()) as Tokens;
    expect(await gateway.callerOf(next.access_token)).toEqual(PRINCIPAL);
    expect(await gateway.callerOf(next.refresh_token)).toBeUndefined();
    expect(gateway.log.join()).toContain('ann (key:ann) allowed tester.example');
  });

  it('is stored without any token, code or key', async () => {
    const gateway = await SigningInGateway.start({ signIn: { registration: true } });
    const registered = await fetch(`${gateway.origin}/register`, {
      method: 'POST',
      body: JSON.stringify({ redirect_uris: ['https://a.example/b'] }),
    });
    const { client_secret: secret } = (await registered.json()) as { client_secret: string };
    const unused = (await gateway.code()).get('code')!;
    const tokens = await gateway.tokens();
    for (const each of [secret, unused, tokens.access_token, tokens.refresh_token, ANN.key]) {
      expect(each.length).toBeGreaterThan(40);
      expect(gateway.stored).not.toContain(each);
      // Nor the random part of one.
      expect(gateway.stored).not.toContain(each.slice(-20));
    }
    expect(gateway.stored).toContain(hashOf(tokens.access_token));
    for (const each of [secret, unused, tokens.access_token, tokens.refresh_token, ANN.key])
      expect(gateway.log.join()).not.toContain(each);
  });

  it('ends with the key, and follows its roles', async () => {
    const gateway = await SigningInGateway.start();
    const { access_token: token } = await gateway.tokens();
    gateway.setKeys([{ name: 'ann', hash: ANN.hash, roles: ['writer'] }]);
    expect(await gateway.callerOf(token)).toEqual({ name: 'key:ann', roles: ['writer'] });
    gateway.setKeys([{ name: 'ann', hash: createApiKey().hash, roles: ['writer'] }]);
    expect(await gateway.callerOf(token)).toBeUndefined();
  });

  it('ends when the client revokes either of its tokens', async () => {
    const gateway = await SigningInGateway.start();
    for (const which of ['access_token', 'refresh_token'] as const) {
      const tokens = await gateway.tokens();
      const fields = { token: tokens[which], client_id: CLIENT.id };
      expect((await gateway.post('/revoke', fields)).status).toBe(200);
      expect(await gateway.callerOf(tokens.access_token)).toBeUndefined();
      expect(await errorOf(await gateway.refresh(tokens.refresh_token))).toBe('invalid_grant');
      // A token that is unknown is revoked already.
      expect((await gateway.post('/revoke', fields)).status).toBe(200);
    }
  });

  it('can be refused, and the client learns it', async () => {
    const gateway = await SigningInGateway.start();
    const { browser, page, url } = await gateway.consent();
    const { location } = await browser.submit(page, url, { answer: 'refuse' });
    expect(Object.fromEntries(location!.searchParams)).toEqual({
      error: 'access_denied',
      state: 'the-state',
      iss: gateway.origin,
    });
  });

  it('works for a client that has a secret, shown in either way, and for no one without it', async () => {
    const secret = createApiKey();
    const clients = [{ ...CLIENT, id: 'with:secret', secretHash: secret.hash }];
    const gateway = await SigningInGateway.start({ signIn: { clients } });
    const id = clients[0]!.id;
    const basic = (shown: string): Record<string, string> => ({
      authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${shown}`).toString('base64')}`,
    });
    const code = async (): Promise<string> => (await gateway.code({ client_id: id })).get('code')!;
    const wrong = await gateway.exchange(await code(), { client_id: id }, basic('guess'));
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get('www-authenticate')).toContain('Basic');
    expect(await errorOf(wrong)).toBe('invalid_client');
    expect(await errorOf(await gateway.exchange(await code(), { client_id: id }))).toBe(
      'invalid_client',
    );
    expect((await gateway.exchange(await code(), { client_id: id }, basic(secret.key))).ok).toBe(
      true,
    );
    const posted = { client_id: id, client_secret: secret.key };
    expect((await gateway.exchange(await code(), posted)).ok).toBe(true);
  });

  it('lasts no longer than the settings say', async () => {
    const gateway = await SigningInGateway.start({ signIn: { tokenMinutes: 5, days: 2 } });
    const before = Date.now();
    const response = await gateway.exchange((await gateway.code()).get('code')!);
    const tokens = (await response.json()) as Tokens & { expires_in: number };
    expect(tokens.expires_in).toBe(300);
    const [signIn] = gateway.store.get().signIns;
    const days = (signIn!.endsAt - before) / 86_400_000;
    expect(Math.round(days)).toBe(2);
    await gateway.store.change((state) => void (state.signIns[0]!.endsAt = Date.now() - 1));
    expect(await errorOf(await gateway.refresh(tokens.refresh_token))).toBe('invalid_grant');
  });
});

describe('the metadata', () => {
  it('says what clients look for, on the configured origin and not on the one of the request', async () => {
    const gateway = await SigningInGateway.start();
    const at = `${gateway.origin}/.well-known/oauth-authorization-server`;
    const headers = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
    const text = await (await fetch(at, { headers })).text();
    expect(text).not.toContain('evil');
    expect(JSON.parse(text)).toMatchObject({
      issuer: gateway.origin,
      authorization_endpoint: `${gateway.origin}/authorize`,
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
      token_endpoint_auth_methods_supported: expect.arrayContaining(['none']) as unknown,
    });
    expect(JSON.parse(text)).not.toHaveProperty('registration_endpoint');
    expect((await gateway.post('/register', {})).status).toBe(404);
    const resource = await fetch(`${gateway.origin}/.well-known/oauth-protected-resource/mcp`);
    expect(await resource.json()).toMatchObject({
      resource: gateway.resource,
      authorization_servers: [gateway.origin],
    });
  });

  it('has metadata for each address that clients connect to, and for no other', async () => {
    const gateway = await SigningInGateway.start();
    const { origin, authentication } = gateway;
    const wellKnown = `${origin}/.well-known/oauth-protected-resource`;
    for (const path of ['/mcp', '/mcp/set/only-reads', '/mcp/profile/claude-code', '/sse']) {
      const request = { url: `${path}?a="b"`, headers: {}, rawHeaders: [] };
      expect(await authentication.authenticate(request)).toMatchObject({
        challenge: `Bearer resource_metadata="${wellKnown}${path}", scope="mcp"`,
      });
      const found = await fetch(wellKnown + path);
      expect(await found.json()).toMatchObject({ resource: origin + path });
      // Every client may ask for a token for the address that it read there.
      const code = (await gateway.code({ resource: origin + path })).get('code')!;
      expect((await gateway.exchange(code, { resource: origin + path })).ok).toBe(true);
    }
    for (const path of ['/mcp/set/a/b', '/admin', '/mcp/other/x', 'x/mcp/set/a']) {
      expect((await fetch(wellKnown + path)).status).toBe(404);
      const request = { url: path, headers: {}, rawHeaders: [] };
      expect(await authentication.authenticate(request)).toMatchObject({
        challenge: `Bearer resource_metadata="${wellKnown}/mcp", scope="mcp"`,
      });
    }
  });

  it('is named when a token is missing or wrong', async () => {
    const gateway = await SigningInGateway.start();
    for (const rawHeaders of [[], ['Authorization', 'Bearer callsign_access_guess']]) {
      const refused = await gateway.authentication.authenticate({ headers: {}, rawHeaders });
      expect(refused).toMatchObject({
        status: 401,
        challenge: expect.stringContaining(
          `resource_metadata="${gateway.origin}/.well-known/oauth-protected-resource/mcp"`,
        ) as unknown,
      });
    }
  });
});

describe('the consent page', () => {
  it('shows the host that gets the code, not only the name that the client gives itself', async () => {
    const clients = [{ ...CLIENT, name: 'Claude <script>alert(1)</script>' }];
    const gateway = await SigningInGateway.start({ signIn: { clients } });
    const { page } = await gateway.consent();
    expect(page.status).toBe(200);
    expect(page.text).toContain('<title>Allow tester.example?');
    expect(page.text).toContain('Nothing proves who made this client');
    expect(page.text).toContain('Any client can choose any name');
    expect(page.text).not.toContain('<script');
    expect(page.text).toContain('3 that only read');
    expect(page.text).toContain('reader');
  });

  it('runs no scripts, cannot be framed, and is never stored (clickjacking)', async () => {
    const gateway = await SigningInGateway.start();
    const { page, browser, url } = await gateway.consent();
    for (const { headers } of [page, await browser.open(url)]) {
      const policy = headers.get('content-security-policy')!;
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/script-src|unsafe/);
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('cache-control')).toBe('no-store');
      // "no-referrer" would make browsers send "Origin: null" with our own forms.
      expect(headers.get('referrer-policy')).toBe('same-origin');
    }
    expect(page.headers.get('content-security-policy')).toContain(
      "form-action 'self' https://tester.example;",
    );
  });

  it.each([
    ['tester-app:/back', "form-action 'self' tester-app:;", 'the app of'],
    ['http://127.0.0.1:4567/back', "form-action 'self' http://127.0.0.1:4567;", 'on this computer'],
  ])('may lead to %s', async (uri, policy, words) => {
    const gateway = await SigningInGateway.start();
    const { page, browser, url } = await gateway.consent({ redirect_uri: uri });
    expect(page.headers.get('content-security-policy')).toContain(policy);
    expect(page.text).toContain(words);
    const { location } = await browser.submit(page, url, { answer: 'allow' });
    expect(location!.href.startsWith(uri)).toBe(true);
  });
});

describe('an attacker', () => {
  it('who intercepts a code cannot use it without the verifier, and neither can anyone afterwards', async () => {
    const gateway = await SigningInGateway.start();
    const code = (await gateway.code()).get('code')!;
    const guess = { code_verifier: 'x'.repeat(43) };
    expect(await errorOf(await gateway.exchange(code, guess))).toBe('invalid_grant');
    expect(await errorOf(await gateway.exchange(code))).toBe('invalid_grant');
    expect(gateway.store.get().signIns).toEqual([]);
  });

  it('who uses a code a second time ends the sign-in of the first', async () => {
    const gateway = await SigningInGateway.start();
    const code = (await gateway.code()).get('code')!;
    const tokens = (await (await gateway.exchange(code)).json()) as Tokens;
    expect(await errorOf(await gateway.exchange(code))).toBe('invalid_grant');
    expect(await gateway.callerOf(tokens.access_token)).toBeUndefined();
    expect(gateway.log.join()).toContain('It may have been stolen');
  });

  it('who uses a code at the same moment gets no second sign-in', async () => {
    const gateway = await SigningInGateway.start();
    const code = (await gateway.code()).get('code')!;
    const both = await Promise.all([gateway.exchange(code), gateway.exchange(code)]);
    expect(both.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
    expect(gateway.store.get().signIns).toEqual([]);
  });

  it('who uses a refresh token a second time ends the whole family', async () => {
    const gateway = await SigningInGateway.start();
    const first = await gateway.tokens();
    const second = (await (await gateway.refresh(first.refresh_token)).json()) as Tokens;
    expect(await gateway.callerOf(first.access_token)).toEqual(PRINCIPAL);
    expect(await errorOf(await gateway.refresh(first.refresh_token))).toBe('invalid_grant');
    expect(await errorOf(await gateway.refresh(second.refresh_token))).toBe('invalid_grant');
    for (const { access_token: token } of [first, second])
      expect(await gateway.callerOf(token)).toBeUndefined();
  });

  it('who has a code or a refresh token of another client cannot use it', async () => {
    const other = { ...CLIENT, id: 'other' };
    const gateway = await SigningInGateway.start({ signIn: { clients: [CLIENT, other] } });
    const as = { client_id: other.id };
    const code = (await gateway.code()).get('code')!;
    expect(await errorOf(await gateway.exchange(code, as))).toBe('invalid_grant');
    const tokens = (await (await gateway.exchange(code)).json()) as Tokens;
    expect(await errorOf(await gateway.refresh(tokens.refresh_token, as))).toBe('invalid_grant');
    await gateway.post('/revoke', { ...as, token: tokens.access_token });
    expect(await gateway.callerOf(tokens.access_token)).toEqual(PRINCIPAL);
  });

  it.each([
    ['an address that the client did not register', { redirect_uri: 'https://evil.example/' }],
    ['a longer address', { redirect_uri: `${REDIRECT}/../evil` }],
    ['another host on loopback', { redirect_uri: 'http://127.0.0.1.evil.example/back' }],
    ['another path on loopback', { redirect_uri: 'http://127.0.0.1:99/evil' }],
    ['a fragment on loopback', { redirect_uri: 'http://127.0.0.1:99/back#x' }],
    ['an empty fragment on loopback', { redirect_uri: 'http://127.0.0.1:99/back#' }],
    ['a password on loopback', { redirect_uri: 'http://admin:admin@127.0.0.1:99/back' }],
    ['another spelling on loopback', { redirect_uri: 'http://127.0.0.1:99/evil/../back' }],
    ['a number for a loopback address', { redirect_uri: 'http://2130706433:99/back' }],
    ['a port that is none', { redirect_uri: 'http://127.0.0.1:99999/back' }],
    ['a tab on loopback', { redirect_uri: 'http://127.0.0.1:99/ba\tck' }],
    ['a backslash on loopback', { redirect_uri: 'http://127.0.0.1:99\\back' }],
    ['user info before a host', { redirect_uri: 'http://127.0.0.1:99@evil.example/back' }],
    ['an unknown client', { client_id: 'nobody' }],
    ['no PKCE', { code_challenge: undefined }],
    ['plain PKCE', { code_challenge: VERIFIER, code_challenge_method: 'plain' }],
    ['another response type', { response_type: 'token' }],
    ['another server', { resource: 'https://other.example/mcp' }],
    ['a neighbour with our name', { resource: 'RESOURCE.evil.example' }],
    ['a request object', { request: 'x.y.z' }],
    ['a very long state', { state: 'x'.repeat(5_000) }],
  ])('is led nowhere with %s (open redirect)', async (_, changes) => {
    const gateway = await SigningInGateway.start();
    const own = { ...changes } as Record<string, string | undefined>;
    if (own['resource'] === 'RESOURCE.evil.example') own['resource'] = `${gateway.resource}.evil`;
    const seen = await new Browser().open(gateway.authorizeUrl(own));
    expect(seen.location).toBeUndefined();
    expect(seen.status).toBe(400);
    expect(seen.text).toContain('This sign-in cannot go on');
  });

  it('cannot send a parameter twice', async () => {
    const gateway = await SigningInGateway.start();
    const url = gateway.authorizeUrl();
    url.searchParams.append('redirect_uri', 'https://evil.example/');
    expect((await new Browser().open(url)).status).toBe(400);
    const body = `grant_type=refresh_token&client_id=${CLIENT.id}&client_id=other&refresh_token=x`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const twice = await fetch(`${gateway.origin}/token`, { method: 'POST', body, headers });
    expect(await errorOf(twice)).toBe('invalid_request');
  });

  it('cannot make a browser send the consent from another site (CSRF)', async () => {
    const gateway = await SigningInGateway.start();
    const { browser, page, url } = await gateway.consent();
    const allow = { answer: 'allow' };
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const seen = await browser.submit(page, url, allow, headers);
      expect(seen.location).toBeUndefined();
      expect(seen.status).toBe(400);
    }
    expect((await browser.submit(page, url, allow)).location?.origin).toBe(
      'https://tester.example',
    );
  });

  it("cannot have another person's browser send a page that was made in the attacker's", async () => {
    const gateway = await SigningInGateway.start();
    const { page, url } = await gateway.consent();
    const victim = new Browser();
    await victim.open(gateway.authorizeUrl());
    for (const browser of [victim, new Browser()]) {
      const seen = await browser.submit(page, url, { answer: 'allow' });
      expect(seen.location).toBeUndefined();
      expect(seen.text).toContain('was opened in another browser');
    }
  });

  it('cannot skip the key: a page of one step opens no other step, and nothing can be changed', async () => {
    const gateway = await SigningInGateway.start();
    const browser = new Browser();
    const asked = await browser.open(gateway.authorizeUrl());
    const request = /name="request" value="([^"]+)"/.exec(asked.text)![1]!;
    const at = `${gateway.origin}/authorize/consent`;
    for (const value of [request, `${request.slice(0, -2)}AA`, 'a.b.c.d.e', '']) {
      const seen = await browser.post(at, { request: value, answer: 'allow' });
      expect(seen.location).toBeUndefined();
      expect(seen.status).toBe(400);
    }
  });

  it('who guesses gets nothing, and the log counts it without the guesses', async () => {
    const gateway = await SigningInGateway.start();
    const browser = new Browser();
    const url = gateway.authorizeUrl();
    let page = await browser.open(url);
    for (let i = 0; i < 5; i++) {
      page = await browser.submit(page, url, { key: `callsign_guess-${i}` });
      expect(page.status).toBe(403);
      expect(page.text).toContain('This key is not known here');
      expect(page.text).not.toContain('callsign_guess');
    }
    for (let i = 0; i < 20; i++) {
      expect(await errorOf(await gateway.exchange(`callsign_code_${i}`))).toBe('invalid_grant');
      expect(await errorOf(await gateway.refresh(`callsign_refresh_${i}`))).toBe('invalid_grant');
      expect(await gateway.callerOf(`callsign_access_${i}`)).toBeUndefined();
    }
    expect(gateway.log).toEqual(['A wrong key was pasted into the sign-in page.']);
  });

  it('cannot use a token of another gateway that shares the store', async () => {
    const one = await SigningInGateway.start();
    const folder = one.store.path.replace(/\/[^/]*$/, '');
    const two = await SigningInGateway.start({ folder });
    const { access_token: token, refresh_token: refresh } = await one.tokens();
    expect(await one.callerOf(token)).toEqual(PRINCIPAL);
    expect(await two.callerOf(token)).toBeUndefined();
    expect(await errorOf(await two.refresh(refresh))).toBe('invalid_grant');
    expect(await errorOf(await one.refresh(refresh, { resource: two.resource }))).toBe(
      'invalid_target',
    );
  });

  it('cannot carry a page to another gateway that shares the store', async () => {
    const one = await SigningInGateway.start({ signIn: operatorWith('reader') });
    const two = await SigningInGateway.start({
      store: one.store,
      signIn: operatorWith('admin'),
    });
    const browser = new Browser();
    const url = one.authorizeUrl();
    const { location: at } = await browser.submit(await browser.open(url), url, { name: 'eve' });
    await one.answer(one.questions[0]!, true);
    // Cookies do not know ports, so the browser shows the same ones there.
    browser.moveTo(two.origin);
    const elsewhere = new URL(at!.pathname + at!.search, two.origin);
    const carried = await browser.open(elsewhere);
    expect(carried.status).toBe(400);
    expect(carried.text).not.toContain('admin');
    browser.moveTo(one.origin);
    expect((await browser.open(at!)).text).toContain('reader');
  });

  it('who has a code that was not exchanged gets nothing after the sign-in was revoked', async () => {
    const gateway = await SigningInGateway.start();
    await gateway.tokens();
    const code = (await gateway.code()).get('code')!;
    const other = (await gateway.code({ redirect_uri: 'tester-app:/back' })).get('code')!;
    const { id } = gateway.store.get().signIns[0]!;
    const [ended] = await gateway.store.change((state) =>
      revokeSignIns(state, gateway.resource, { ids: [id] }, Date.now()),
    );
    expect(ended!.id).toBe(id);
    expect(await errorOf(await gateway.exchange(code))).toBe('invalid_grant');
    expect(await errorOf(await gateway.exchange(other, { redirect_uri: 'tester-app:/back' }))).toBe(
      'invalid_grant',
    );
    expect(gateway.store.get().signIns).toEqual([]);
  });

  it('cannot give another person a cookie, from a neighbour of an https origin', async () => {
    const gateway = await SigningInGateway.start({ publicOrigin: 'https://gateway.example.com' });
    const asked = await fetch(gateway.authorizeUrl(), { redirect: 'manual' });
    const [cookie] = asked.headers.getSetCookie() as [string];
    // No other host, and no page without TLS, can set a cookie of this name.
    expect(cookie).toMatch(
      /^__Host-callsign-sign-in=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    const value = cookie.split(';')[0]!.split('=')[1]!;
    const request = /name="request" value="([^"]+)"/.exec(await asked.text())![1]!;
    const send = async (name: string): Promise<number> => {
      const headers = { cookie: `${name}=${value}`, origin: 'https://gateway.example.com' };
      return (await gateway.post('/authorize/key', { request, key: ANN.key }, headers)).status;
    };
    expect(await send('callsign-sign-in')).toBe(400);
    expect(await send('__Host-callsign-sign-in')).toBe(200);
  });

  it('can tell whose code it is by "iss" (mix-up)', async () => {
    const gateway = await SigningInGateway.start();
    const honest = await gateway.code();
    expect(honest.getAll('iss')).toEqual([gateway.origin]);
    // The client's own redirect address may have an "iss" already: ours replaces it.
    const uri = 'https://tester.example/cb?iss=https://evil.example';
    const clients = [{ ...CLIENT, redirectUris: [uri] }];
    const other = await SigningInGateway.start({ signIn: { clients } });
    expect((await other.code({ redirect_uri: uri })).getAll('iss')).toEqual([other.origin]);
  });

  it('cannot open the console with the token of a client', async () => {
    const gateway = await SigningInGateway.start();
    const { access_token: token } = await gateway.tokens();
    const headers = (shown: string) => ({ rawHeaders: ['Authorization', `Bearer ${shown}`] });
    expect(gateway.authentication.keyHolder(headers(token))).toBeUndefined();
    expect(gateway.authentication.keyHolder(headers(ANN.key))).toEqual(PRINCIPAL);
  });

  it.each(['/token', '/revoke', '/authorize/consent', '/authorize/key'])(
    'cannot fill the memory or break the gateway at %s',
    async (path) => {
      const gateway = await SigningInGateway.start();
      const long = await gateway.post(path, { x: 'x'.repeat(100_000) });
      expect(long.status).toBeGreaterThanOrEqual(400);
      expect(long.status).toBeLessThan(500);
      const get = await fetch(`${gateway.origin}${path}`);
      expect(get.status).toBe(405);
      const json = await fetch(`${gateway.origin}${path}`, { method: 'POST', body: '{"a":' });
      expect(json.status).toBe(400);
    },
  );
});

describe('a client that registers itself', () => {
  const register = (gateway: SigningInGateway, body: unknown): Promise<Response> =>
    fetch(`${gateway.origin}/register`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  it('can sign people in, with the grants that it has in common with the gateway', async () => {
    const gateway = await SigningInGateway.start({ signIn: { registration: true } });
    const response = await register(gateway, {
      redirect_uris: [REDIRECT],
      client_name: 'New',
      grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
      token_endpoint_auth_method: 'none',
    });
    expect(response.status).toBe(201);
    const client = (await response.json()) as { client_id: string };
    expect(client).toMatchObject({ grant_types: ['authorization_code'], client_name: 'New' });
    expect(client).not.toHaveProperty('client_secret');
    const as = { client_id: client.client_id };
    const code = (await gateway.code(as)).get('code')!;
    const tokens = (await (await gateway.exchange(code, as)).json()) as Tokens;
    expect(await gateway.callerOf(tokens.access_token)).toEqual(PRINCIPAL);
    expect(tokens.refresh_token).toBeUndefined();
  });

  it.each([
    ['not JSON', '{', 'invalid_client_metadata'],
    ['a list', [], 'invalid_client_metadata'],
    ['no address', { redirect_uris: [] }, 'invalid_client_metadata'],
    ['a script', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    ['plain http', { redirect_uris: ['http://a.example/b'] }, 'invalid_redirect_uri'],
    ['a fragment', { redirect_uris: ['https://a.example/b#c'] }, 'invalid_redirect_uri'],
    ['a password', { redirect_uris: ['https://a:b@a.example/b'] }, 'invalid_redirect_uri'],
    [
      'another grant',
      { redirect_uris: [REDIRECT], grant_types: ['implicit'] },
      'invalid_client_metadata',
    ],
    [
      'another method',
      { redirect_uris: [REDIRECT], token_endpoint_auth_method: 'tls_client_auth' },
      'invalid_client_metadata',
    ],
    ['too much', { redirect_uris: [REDIRECT], more: 'x'.repeat(6_000) }, 'invalid_request'],
  ])('is refused with %s', async (_, body, error) => {
    const gateway = await SigningInGateway.start({ signIn: { registration: true } });
    expect(await errorOf(await register(gateway, body))).toBe(error);
  });

  it('is refused when too many do', async () => {
    const gateway = await SigningInGateway.start({ signIn: { registration: true } });
    const body = { redirect_uris: [REDIRECT] };
    for (let i = 0; i < 30; i++) expect((await register(gateway, body)).status).toBe(201);
    expect((await register(gateway, body)).status).toBe(429);
  });
});
