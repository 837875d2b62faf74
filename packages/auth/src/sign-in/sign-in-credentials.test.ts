import { Call, type Caller } from '@callsign/core';
import { Upstream, openHttp, openSse } from '@callsign/wire';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { credentialsFor, SignInCredentials } from './sign-in-credentials.js';
import { SignInFile } from './sign-in-file.js';
import { signIn } from './sign-in.js';
import { browse, scene, signedIn, type Scene } from './testing/signed-in.js';

function credentialsOf({ entry, file, fetch }: Scene, problems: string[] = []): SignInCredentials {
  return new SignInCredentials(entry, {
    store: file,
    fetch,
    onProblem: (text) => problems.push(text),
  });
}

/** Brings the tokens close to their expiry, by the clock of the credentials. */
async function age({ entry, file }: Scene): Promise<void> {
  const record = (await file.find(entry))!;
  await file.save({ ...record, issuedAt: 1, expiresAt: Date.now() + 10_000 });
}

function upstreamOf({ entry }: Scene, credentials: SignInCredentials): Upstream {
  const options = { url: entry.url, headers: {}, maxMessageBytes: 100_000, credentials };
  const upstream = new Upstream({
    key: 's',
    transport: { onePipe: false, open: (era) => openHttp({ ...options, era }) },
    self: { name: 'callsign', version: '0' },
    era: 'session',
    restart: { initialMs: 1, maxMs: 1, giveUpAfter: 1 },
  });
  onTestFinished(() => upstream.stop());
  return upstream;
}

const DONE = '{"content":[{"type":"text","text":"done"}]}';

/** A call as a listener makes it. */
function echo(): Call {
  const params = '{"name":"echo","arguments":{}}';
  const client = { name: 'test', version: '1' };
  const caller: Caller = { id: 'c', era: 'session', client, capabilities: '{}', can: () => false };
  const [nameStart, nameEnd] = [params.indexOf('"echo"'), params.indexOf(',')];
  const places = { nameStart, nameEnd, tokenStart: -1, tokenEnd: -1 };
  return new Call({ method: 'tools/call', params, name: 'echo', ...places, caller });
}

describe('the credentials of a server', () => {
  it('are empty without a sign-in, and the error says what to do', async () => {
    const all = await scene();
    const credentials = credentialsOf(all);
    expect(await credentials.headers()).toEqual({});
    expect(await credentials.renew({})).toBe(false);
    const upstream = upstreamOf(all, credentials);
    await upstream.start();
    expect(upstream.state).toEqual({
      is: 'failed',
      reason: expect.stringContaining('sign in with: callsign login s'),
    });
  });

  it('are the token of the sign-in', async () => {
    const all = await signedIn();
    const upstream = upstreamOf(all, credentialsOf(all));
    await upstream.start();
    expect(upstream.state).toEqual({ is: 'ready' });
    const { accessToken } = (await all.file.find(all.entry))!;
    expect(new Set(all.server.tokens.slice(1))).toEqual(new Set([accessToken]));
  });

  it('are never sent to another address under the same key', async () => {
    const all = await signedIn();
    const moved = { ...all, entry: { key: 's', url: 'https://evil.example/mcp' } };
    expect(await credentialsOf(moved).headers()).toEqual({});
  });

  it('say which scopes a server asks for besides those of the sign-in', async () => {
    const all = await signedIn();
    await all.file.save({ ...(await all.file.find(all.entry))!, scope: 'read' });
    const credentials = credentialsOf(all);
    await credentials.headers();
    const refused = (scope: string): string =>
      `Bearer error="insufficient_scope", scope="${scope}"`;
    expect(credentials.scopeAdvice(refused('read write'))).toBe(
      'it asks for more scopes: set "callsign.servers.s.oauth.scope" to "read write", then sign in with: callsign login s',
    );
    for (const challenge of ['Bearer error="invalid_token"', refused(''), refused('\u001b[2J')])
      expect(credentials.scopeAdvice(challenge)).toBeUndefined();
  });

  it('are given at once, without reading the disk, while they are valid', async () => {
    const all = await signedIn();
    const credentials = credentialsOf(all);
    const first = await credentials.headers();
    expect(credentials.headers()).toBe(first);
  });

  it('are renewed before they end, once for all who ask', async () => {
    const all = await signedIn();
    await age(all);
    const credentials = credentialsOf(all);
    const shown = await Promise.all(Array.from({ length: 20 }, () => credentials.headers()));
    expect(new Set(shown.map(({ authorization }) => authorization)).size).toBe(1);
    expect(all.as.isGood(shown[0]!['authorization']!.slice('Bearer '.length))).toBe(true);
    const renewals = all.as
      .posts('/token')
      .filter((body) => body.get('grant_type') === 'refresh_token');
    expect(renewals).toHaveLength(1);
    expect(renewals[0]!.get('resource')).toBe(all.entry.url);
  });

  it('are renewed once among all gateways that share the file', async () => {
    const all = await signedIn();
    await age(all);
    const gateways = Array.from({ length: 6 }, () =>
      credentialsOf({ ...all, file: new SignInFile(all.file.path.replace(/\/[^/]*$/, '')) }),
    );
    const shown = await Promise.all(gateways.map((gateway) => gateway.headers()));
    expect(new Set(shown.map(({ authorization }) => authorization)).size).toBe(1);
    expect(all.as.posts('/token')).toHaveLength(2);
  });

  it('are renewed when the server refuses them, and no call is lost', async () => {
    const all = await signedIn();
    const upstream = upstreamOf(all, credentialsOf(all));
    await upstream.start();
    all.as.expireAll();
    const calls = Array.from({ length: 5 }, () => upstream.route('tool', 'echo')!.send(echo()));
    for (const { ok, json } of await Promise.all(calls)) expect([ok, json]).toEqual([true, DONE]);
    expect(all.as.posts('/token')).toHaveLength(2);
  });

  it('are forgotten when the authorization server has revoked them', async () => {
    const all = await signedIn();
    const problems: string[] = [];
    const credentials = credentialsOf(all, problems);
    const shown = await credentials.headers();
    all.as.forgetAll();
    expect(await credentials.renew(shown)).toBe(false);
    expect(await credentials.headers()).toEqual({});
    expect(await all.file.find(all.entry)).toBeUndefined();
    expect(problems).toEqual(['[s] its sign-in has ended; sign in with: callsign login s']);
  });

  it('are kept while the authorization server is down, and it is not asked all the time', async () => {
    const all = await signedIn();
    await age(all);
    all.as.fails = 503;
    const problems: string[] = [];
    const credentials = credentialsOf(all, problems);
    const { accessToken } = (await all.file.find(all.entry))!;
    for (let i = 0; i < 5; i++) {
      expect(await credentials.headers()).toEqual({ authorization: `Bearer ${accessToken}` });
    }
    expect(await credentials.renew({ authorization: `Bearer ${accessToken}` })).toBe(false);
    expect(all.as.posts('/token')).toHaveLength(2);
    expect(problems).toHaveLength(1);
    expect(problems.join()).not.toContain('CANARY');
    expect((await all.file.find(all.entry))?.refreshToken).toBeDefined();
  });

  it('are read again after a sign-in in another process', async () => {
    const all = await scene();
    const credentials = credentialsOf(all);
    expect(await credentials.headers()).toEqual({});
    const { entry, file, fetch } = all;
    await signIn(entry, { store: file, fetch, openBrowser: browse });
    expect(await credentials.renew({})).toBe(true);
    const { authorization = '' } = await credentials.headers();
    expect(all.as.isGood(authorization.slice('Bearer '.length))).toBe(true);
  });

  it('are not lost when renewed ones cannot be saved', async () => {
    const all = await signedIn();
    await age(all);
    const problems: string[] = [];
    const credentials = credentialsOf(all, problems);
    const saving = vi.spyOn(all.file, 'save').mockRejectedValueOnce(new Error('ENOSPC'));
    const first = await credentials.headers();
    expect(problems).toEqual(['[s] its tokens were renewed, but not saved: ENOSPC']);
    saving.mockRestore();
    // The next renewal uses those, not the old ones.
    expect(await credentials.renew(first)).toBe(true);
    const second = await credentials.headers();
    expect(second).not.toEqual(first);
    expect((await all.file.find(all.entry))?.accessToken).toBe(
      second['authorization']!.slice('Bearer '.length),
    );
  });

  it('report what is wrong with their file, without its content', async () => {
    const all = await signedIn();
    const { chmodSync } = await import('node:fs');
    chmodSync(all.file.path, 0o644);
    const problems: string[] = [];
    expect(await credentialsOf(all, problems).headers()).toEqual({});
    expect(problems.join()).toContain('chmod 600');
    expect(problems.join()).not.toContain('CANARY');
  });

  it('are sent to the older pair of endpoints, too', async () => {
    const all = await scene();
    const credentials = credentialsOf(all);
    const options = { url: all.entry.url, headers: {}, maxMessageBytes: 100_000, credentials };
    const closed = new Promise<string>((resolve) => {
      openSse(options)({ onText: () => false, onClose: resolve });
    });
    expect(await closed).toContain('sign in with: callsign login s');
  });
});

describe('credentials for a configured server', () => {
  it('are those of the sign-in, unless the configuration has its own', async () => {
    const { entry, file, fetch } = await signedIn();
    const server = { ...entry, headers: { 'X-Team': 'a' } };
    const one = credentialsFor(server, { store: file, fetch });
    const own = credentialsFor(
      { ...entry, headers: { AUTHORIZATION: 'Bearer mine' } },
      { store: file, fetch },
    );
    expect(await one!.headers()).toHaveProperty('authorization');
    expect(own).toBeUndefined();
  });
});
