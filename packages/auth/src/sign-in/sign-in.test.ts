import { createServer } from 'node:net';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';

import { describe, expect, it, onTestFinished } from 'vitest';

import { scratch } from '../../../../test/testing/scratch.js';
import { createOutboundFetch } from '../network/outbound-fetch.js';
import { signIn, type SignInOptions } from './sign-in.js';
import { SignInFile } from './sign-in-file.js';
import { ProtectedServer } from './testing/protected-server.js';
import { browse, scene, signedIn, type Scene } from './testing/signed-in.js';

/** Signs in with a browser. Returns the message if it fails. */
async function failure(all: Scene, more: Partial<SignInOptions> = {}): Promise<string> {
  const { entry, file, fetch } = all;
  const options = { store: file, fetch, openBrowser: browse, ...more };
  return signIn(entry, options).then(
    () => 'signed in',
    (error: Error) => error.message,
  );
}

describe('signing in', () => {
  it('leads through the browser to tokens that the server accepts', async () => {
    const { as, entry, file } = await signedIn();
    const record = (await file.find(entry))!;
    expect(as.isGood(record.accessToken)).toBe(true);
    expect(record).toMatchObject({ server: 's', url: entry.url, resource: entry.url });
    expect(record.refreshToken).toMatch(/^CANARY-refresh/);
    expect(record.expiresAt! - record.issuedAt).toBe(3_600_000);
  });

  it('keeps them where only their owner can read them', async () => {
    const { file } = await signedIn();
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
  });

  it('asks with PKCE, a state, and the resource that the token is for', async () => {
    const all = await scene();
    let asked: URL | undefined;
    await failure(all, { onUrl: (url) => (asked = url) });
    const query = Object.fromEntries(asked!.searchParams);
    expect(query).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      resource: all.entry.url,
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  it('shows the address if there is no browser', async () => {
    const { entry, file, fetch } = await scene();
    await signIn(entry, { store: file, fetch, onUrl: (url) => void browse(url) });
    expect(await file.find(entry)).toBeDefined();
  });

  it('uses the client that was registered by hand', async () => {
    const all = await scene({ registers: false });
    all.as.register('by-hand');
    expect(await failure(all, { oauth: { clientId: 'by-hand', scope: 'a b' } })).toBe('signed in');
    expect((await all.file.find(all.entry))?.client).toEqual({ client_id: 'by-hand' });
    expect(all.as.posts('/register')).toEqual([]);
  });

  it('sends the secret of such a client to its authorization server only', async () => {
    const all = await scene();
    all.as.register('by-hand');
    const oauth = { clientId: 'by-hand', clientSecret: 'CANARY-client' };
    const elsewhere = { ...oauth, issuer: 'https://login.example' };
    expect(await failure(all, { oauth: elsewhere })).toContain('is not the configured "issuer"');
    expect(all.as.posts('/token')).toEqual([]);
    expect(await failure(all, { oauth: { ...oauth, issuer: `${all.as.url}/` } })).toBe('signed in');
    const [posted] = all.as.posts('/token');
    expect(posted!.get('client_secret')).toBe('CANARY-client');
  });

  it('again replaces the old tokens, and does not affect other servers', async () => {
    const all = await signedIn();
    const other = await ProtectedServer.start({
      authorizationServer: all.as.url,
      isGood: (token) => all.as.isGood(token),
    });
    const fetch = createOutboundFetch({ allowPrivate: [all.as.url] }, other.url);
    const entry = { key: 'other', url: other.url };
    await signIn(entry, { store: all.file, fetch, openBrowser: browse });
    const first = await all.file.find(all.entry);
    expect(await failure(all)).toBe('signed in');
    expect((await all.file.find(all.entry))?.accessToken).not.toBe(first?.accessToken);
    expect(await all.file.find(entry)).toBeDefined();
  });
});

describe('signing in fails with a message', () => {
  it('when the person declines', async () => {
    const all = await scene({
      answer: (query) => {
        query.delete('code');
        query.set('error', 'access_denied');
      },
    });
    expect(await failure(all)).toBe('Could not sign in to "s": it was declined (access_denied).');
  });

  it.each([
    ['another state', (query: URLSearchParams) => query.set('state', 'x'.repeat(43))],
    ['no state', (query: URLSearchParams) => query.delete('state')],
  ])('when only an answer with %s comes back', async (_, answer) => {
    const all = await scene({ answer });
    expect(await failure(all, { timeoutMs: 300 })).toContain('the browser did not return');
    expect(all.as.posts('/token')).toEqual([]);
  });

  it.each([
    ['another issuer', (query: URLSearchParams) => query.set('iss', 'https://evil.example')],
    ['no issuer, though they promise one', (query: URLSearchParams) => query.delete('iss')],
  ])('when the answer comes from %s, and the code is not sent', async (_, answer) => {
    const all = await scene({ answer });
    expect(await failure(all)).toContain('does not name itself as the issuer');
    expect(all.as.posts('/token')).toEqual([]);
  });

  it('when its authorization server is on a private address, which settings can allow', async () => {
    const { as, entry, file } = await scene();
    const fetch = createOutboundFetch({ allowPrivate: [] }, entry.url);
    await expect(signIn(entry, { store: file, fetch })).rejects.toThrow(
      `not a public address (loopback). If it is in your own network, name ${as.url} in the setting "network.allowPrivate".`,
    );
  });

  it('when the code is unknown', async () => {
    const all = await scene({ answer: (query) => query.set('code', 'made-up') });
    expect(await failure(all)).toBe('Could not sign in to "s": it failed with invalid_grant.');
  });

  it('when the authorization server does not register clients', async () => {
    const all = await scene({ registers: false });
    expect(await failure(all)).toMatch(/^Could not sign in to "s": .+\.$/);
  });

  it('when the authorization server has another name in its metadata', async () => {
    const all = await scene({ metadata: (own) => ({ ...own, issuer: 'https://evil.example' }) });
    expect(await failure(all)).toContain('does not name itself as the issuer');
  });

  it.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'ms-cxh://x',
    'http://user:pass@127.0.0.1/',
  ])('when the page is %s, which is not opened', async (page) => {
    const all = await scene({ metadata: (own) => ({ ...own, authorization_endpoint: page }) });
    const opened: string[] = [];
    const openBrowser = async (url: URL): Promise<boolean> => {
      opened.push(url.href);
      return true;
    };
    const onUrl = (url: URL): void => void opened.push(url.href);
    expect(await failure(all, { openBrowser, onUrl, timeoutMs: 200 })).toContain(
      'Could not sign in',
    );
    expect(opened).toEqual([]);
  });

  it('when tokens cannot be stored, before the browser opens', async () => {
    const all = await signedIn();
    chmodSync(all.file.path, 0o644);
    const asked: URL[] = [];
    expect(await failure(all, { onUrl: (url) => asked.push(url) })).toContain('chmod 600');
    expect(asked).toEqual([]);
  });

  it('that quotes nothing of the exchange', async () => {
    const all = await scene();
    all.as.fails = 500;
    const sentence = await failure(all);
    const [posted] = all.as.posts('/token');
    for (const secret of ['code', 'code_verifier']) {
      expect(posted!.get(secret)!.length).toBeGreaterThan(10);
      expect(sentence).not.toContain(posted!.get(secret));
    }
  });
});

describe('metadata at a forbidden address', () => {
  /** A listener that should get no request. */
  async function silence(): Promise<{ readonly port: number; heard(): number }> {
    let connections = 0;
    const listener = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => {
      listener.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void listener.close());
    return { port: (listener.address() as AddressInfo).port, heard: () => connections };
  }

  async function tryWith(options: { metadataUrl?: string; authorizationServer?: string }) {
    const server = await ProtectedServer.start({ isGood: () => false, ...options });
    const entry = { key: 's', url: server.url };
    const fetch = createOutboundFetch({ allowPrivate: [] }, server.url);
    const file = new SignInFile(scratch());
    const outcome = await signIn(entry, {
      store: file,
      fetch,
      openBrowser: browse,
      timeoutMs: 200,
    }).then(
      () => 'signed in',
      (error: Error) => error.message,
    );
    return { outcome, file };
  }

  it.each([
    ['loopback', (port: number) => `http://127.0.0.1:${port}/`],
    ['another number of it', (port: number) => `http://127.0.0.2:${port}/`],
    ['IPv6', (port: number) => `http://[::1]:${port}/`],
    ['IPv4 in IPv6', (port: number) => `http://[::ffff:127.0.0.1]:${port}/`],
    ['a decimal number', (port: number) => `http://2130706433:${port}/`],
    ['an octal number', (port: number) => `http://0177.0.0.1:${port}/`],
    ['a name', (port: number) => `http://localhost:${port}/`],
    ['the metadata of a cloud', () => 'http://169.254.169.254/latest/meta-data/'],
    ['a private network', () => 'http://10.0.0.1/'],
  ])('is not fetched, and no connection is made: %s', async (_, address) => {
    const { port, heard } = await silence();
    const byChallenge = await tryWith({
      metadataUrl: address(port),
      authorizationServer: address(port),
    });
    const byMetadata = await tryWith({ authorizationServer: address(port) });
    for (const { outcome, file } of [byChallenge, byMetadata]) {
      expect(outcome).toMatch(/^Could not sign in to "s": /);
      expect(() => readFileSync(file.path)).toThrow('ENOENT');
    }
    expect(heard()).toBe(0);
  });
});
