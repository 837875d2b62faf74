/** Clients that are known by the address of their metadata document. */

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { describe, expect, it, onTestFinished } from 'vitest';

import { ClientDocuments } from './client-document.js';
import { Browser } from './testing/browser.js';
import { ANN, SigningInGateway, type Tokens } from './testing/signing-in-gateway.js';

const REDIRECT = 'https://claude.ai/api/mcp/auth_callback';

interface Host {
  readonly origin: string;
  /** The address of the document. */
  readonly id: string;
  /** The paths that were asked for. */
  readonly seen: string[];
  answer: (response: ServerResponse) => void;
}

/** A host with a metadata document. */
async function hostOf(document: (id: string) => unknown): Promise<Host> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url!);
    host.answer(response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const id = `${origin}/oauth/client.json`;
  const host: Host = {
    origin,
    id,
    seen,
    answer: (response) => void response.end(JSON.stringify(document(id))),
  };
  return host;
}

/** As the document of a real client, which names more than we support. */
const claudeLike = (id: string) => ({
  client_id: id,
  client_name: 'Claude',
  client_uri: 'https://claude.ai',
  redirect_uris: [REDIRECT, 'data:text/html,x'],
  grant_types: [
    'authorization_code',
    'refresh_token',
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
  ],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
});

describe('a client that is known by its metadata document', () => {
  it('can sign people in, and the page shows the host of the document', async () => {
    const host = await hostOf(claudeLike);
    const gateway = await SigningInGateway.start({ allowPrivate: [host.origin] });
    const as = { client_id: host.id, redirect_uri: REDIRECT };
    const { browser, page, url } = await gateway.consent(as);
    expect(page.text).toContain(`<title>Allow ${new URL(host.id).host}?`);
    expect(page.text).toContain('claude.ai');
    expect(page.text).not.toContain('Nothing proves who made this client');
    const { location } = await browser.submit(page, url, { answer: 'allow' });
    const response = await gateway.exchange(location!.searchParams.get('code')!, as);
    const tokens = (await response.json()) as Tokens;
    expect(await gateway.callerOf(tokens.access_token)).toMatchObject({ name: 'key:ann' });
    expect((await gateway.refresh(tokens.refresh_token, as)).ok).toBe(true);
    expect(host.seen).toEqual(['/oauth/client.json']);
    expect(gateway.stored).not.toContain(ANN.key);
  });

  it('may prefer another way to prove who it is, if it can do without', async () => {
    const preferring = (supported?: string[]) => (id: string) => ({
      ...claudeLike(id),
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: supported,
    });
    const host = await hostOf(preferring(['none', 'private_key_jwt']));
    const strict = await hostOf(preferring(['private_key_jwt']));
    const gateway = await SigningInGateway.start({ allowPrivate: [host.origin, strict.origin] });
    const as = { client_id: host.id, redirect_uri: REDIRECT };
    const code = (await gateway.code(as)).get('code')!;
    expect((await gateway.exchange(code, as)).ok).toBe(true);
    const url = gateway.authorizeUrl({ client_id: strict.id, redirect_uri: REDIRECT });
    expect((await new Browser().open(url)).text).toContain('private_key_jwt');
  });

  it('is not looked up at an internal address, by any name', async () => {
    const host = await hostOf(claudeLike);
    const { port } = new URL(host.origin);
    const gateway = await SigningInGateway.start();
    for (const id of [
      host.id,
      `https://127.0.0.1:${port}/client.json`,
      `https://localhost:${port}/client.json`,
      `https://[::1]:${port}/client.json`,
      `https://[::ffff:7f00:1]:${port}/client.json`,
      'https://169.254.169.254/latest/meta-data',
      'https://10.0.0.1/client.json',
      'http://client.example/client.json',
      'https://client.example/',
      'https://user:secret@client.example/client.json',
      'https://client.example/a/../client.json',
      'https://client.example/client.json#x',
      `https://client.example/${'x'.repeat(600)}`,
    ]) {
      const asked = gateway.authorizeUrl({ client_id: id, redirect_uri: REDIRECT });
      const seen = await new Browser().open(asked);
      expect(seen.status, id).toBe(400);
      expect(seen.location).toBeUndefined();
      // What the internal network answers, or whether it does, is not told.
      expect(seen.text).not.toMatch(/ECONN|refused|loopback|private/i);
    }
    expect(host.seen).toEqual([]);
  });

  it.each([
    ['is at another address', () => ({ ...claudeLike('https://other.example/c.json') })],
    [
      'lists no possible address',
      (id: string) => ({ ...claudeLike(id), redirect_uris: ['data:x'] }),
    ],
    ['lists no addresses', (id: string) => ({ ...claudeLike(id), redirect_uris: undefined })],
    [
      'wants another grant only',
      (id: string) => ({ ...claudeLike(id), grant_types: ['implicit'] }),
    ],
    [
      'wants to prove itself with a secret',
      (id: string) => ({ ...claudeLike(id), token_endpoint_auth_method: 'client_secret_post' }),
    ],
    ['is too long', (id: string) => ({ ...claudeLike(id), more: 'x'.repeat(5 * 1024) })],
    ['is no object', () => [1]],
  ])('is refused if it %s', async (_, document) => {
    const host = await hostOf(document);
    const documents = new ClientDocuments({ allowPrivate: [host.origin] });
    onTestFinished(() => documents.close());
    await expect(documents.find(host.id, 1_000_000)).rejects.toMatchObject({
      name: 'ClientProblem',
    });
  });

  it('is refused if the address redirects, fails or does not answer JSON', async () => {
    const host = await hostOf(claudeLike);
    const other = await hostOf(claudeLike);
    const allowPrivate = [host.origin, other.origin];
    const answers: ((response: ServerResponse) => void)[] = [
      (response) => response.writeHead(302, { location: other.id }).end(),
      (response) => response.writeHead(500).end('{}'),
      (response) => response.end('<html>'),
      (response) => void response.destroy(),
    ];
    for (const answer of answers) {
      host.answer = answer;
      const documents = new ClientDocuments({ allowPrivate });
      await expect(documents.find(host.id, 1_000_000)).rejects.toThrow(/^The metadata document of/);
      documents.close();
    }
    expect(other.seen).toEqual([]);
  });

  it('is fetched again seldom, and an old document counts for a week', async () => {
    const host = await hostOf(claudeLike);
    const documents = new ClientDocuments({ allowPrivate: [host.origin] });
    onTestFinished(() => documents.close());
    const [minute, day] = [60_000, 86_400_000];
    const start = 1_000_000_000;
    const both = await Promise.all([
      documents.find(host.id, start),
      documents.find(host.id, start),
    ]);
    expect(both[0]).toBe(both[1]);
    await documents.find(host.id, start + 9 * minute);
    expect(host.seen.length).toBe(1);
    await documents.find(host.id, start + 11 * minute);
    expect(host.seen.length).toBe(2);
    const answer = host.answer;
    host.answer = (response) => void response.writeHead(503).end();
    expect(await documents.find(host.id, start + 6 * day)).toMatchObject({ name: 'Claude' });
    // Anyone can name the address, so it is not asked again at once.
    await documents.find(host.id, start + 6 * day + 1);
    expect(host.seen.length).toBe(3);
    await expect(documents.find(host.id, start + 8 * day)).rejects.toThrow('cannot be fetched');
    host.answer = answer;
    expect(await documents.find(host.id, start + 9 * day)).toMatchObject({ name: 'Claude' });
  });

  it('keeps its sign-ins while the host is down, also after a restart of the gateway', async () => {
    const host = await hostOf(claudeLike);
    const settings = { allowPrivate: [host.origin] };
    const before = await SigningInGateway.start(settings);
    const as = { client_id: host.id, redirect_uri: REDIRECT };
    const code = (await before.code(as)).get('code')!;
    const tokens = (await (await before.exchange(code, as)).json()) as Tokens;
    host.answer = (response) => void response.destroy();
    const after = await SigningInGateway.start({
      ...settings,
      store: before.store,
      publicOrigin: before.origin,
    });
    const renewed = await after.refresh(tokens.refresh_token, as);
    expect(renewed.status, await renewed.clone().text()).toBe(200);
    const { access_token: token } = (await renewed.json()) as Tokens;
    expect(await after.callerOf(token)).toMatchObject({ name: 'key:ann' });
    // Nor does anyone make the gateway ask an address by showing it as a client.
    const seen = host.seen.length;
    await after.post('/token', {
      grant_type: 'refresh_token',
      refresh_token: 'x',
      client_id: `${host.origin}/other.json`,
    });
    expect(host.seen).toHaveLength(seen);
    expect((await after.post('/revoke', { client_id: host.id, token })).status).toBe(200);
    expect(await after.callerOf(token)).toBeUndefined();
  });

  it('counts while others keep every lookup busy with addresses that never answer', async () => {
    const good = await hostOf(claudeLike);
    const slow = await hostOf(claudeLike);
    slow.answer = () => undefined;
    const documents = new ClientDocuments({ allowPrivate: [good.origin, slow.origin] });
    const start = 1_000_000_000;
    await documents.find(good.id, start);
    const later = start + 60 * 60_000;
    const hanging = Array.from({ length: 8 }, (_, i) =>
      documents.find(`${slow.origin}/${i}.json`, later).catch(() => undefined),
    );
    await expect(documents.find(`${good.origin}/new.json`, later)).rejects.toThrow('Too many');
    expect(await documents.find(good.id, later)).toMatchObject({ name: 'Claude' });
    documents.close();
    await Promise.all(hanging);
  });

  it('is not forgotten because of many addresses that cannot be fetched', async () => {
    const good = await hostOf(claudeLike);
    const bad = await hostOf(() => ({}));
    const documents = new ClientDocuments({ allowPrivate: [good.origin, bad.origin] });
    onTestFinished(() => documents.close());
    const start = 1_000_000_000;
    await documents.find(good.id, start);
    for (let i = 0; i < 250; i++)
      await documents.find(`${bad.origin}/${i}.json`, start).catch(() => undefined);
    expect(await documents.find(good.id, start + 1)).toMatchObject({ name: 'Claude' });
    expect(good.seen).toHaveLength(1);
  });

  it('is unknown if the operator wants no documents', async () => {
    const host = await hostOf(claudeLike);
    const gateway = await SigningInGateway.start({
      signIn: { clientDocuments: false },
      allowPrivate: [host.origin],
    });
    const as = { client_id: host.id, redirect_uri: REDIRECT };
    expect((await new Browser().open(gateway.authorizeUrl(as))).status).toBe(400);
    expect(host.seen).toEqual([]);
  });
});
