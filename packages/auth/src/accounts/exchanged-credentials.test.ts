/** Exchanging tokens at an endpoint on loopback that answers as it likes. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readAll } from 'node:stream/consumers';

import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { createOutboundFetch } from '../network/outbound-fetch.js';
import { ExchangedCredentials } from './exchanged-credentials.js';
import { SubjectTokens } from './subject-tokens.js';

const SUBJECT = 'header.payload-of-the-caller.signature';
const GOOD = { token_type: 'Bearer', expires_in: 600 };

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | string;
}

async function start(answerOf: (at: number) => Answer, changes: object = {}) {
  const seen: { authorization: string | undefined; body: string; path: string }[] = [];
  const server = createServer(async (request, response) => {
    const { authorization } = request.headers;
    seen.push({ authorization, body: await readAll(request), path: request.url! });
    const { status = 200, headers = {}, body = {} } = answerOf(seen.length - 1);
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fetch = createOutboundFetch({ allowPrivate: [] }, origin);
  onTestFinished(() => {
    fetch.close();
    server.closeAllConnections();
    server.close();
  });
  const problems: string[] = [];
  const refused: string[] = [];
  const shown = { subject: SUBJECT as string | undefined };
  const credentials = new ExchangedCredentials({
    settings: { tokenUrl: `${origin}/token`, clientId: 'callsign', ...changes },
    server: { key: 'notes', url: 'https://notes.example.com/mcp' },
    fetch,
    subject: () => shown.subject,
    onRefused: (subject) => refused.push(subject),
    onProblem: (message) => problems.push(message),
    advice: 'link it',
  });
  return { credentials, seen, problems, refused, shown, origin };
}

describe('an exchange', () => {
  it('sends the token to the endpoint, with what the settings say', async () => {
    const { credentials, seen } = await start(() => ({ body: { ...GOOD, access_token: 'a' } }), {
      clientSecret: 'a secret',
      audience: 'notes',
      scope: 'read',
    });
    expect(await credentials.headers()).toEqual({ authorization: 'Bearer a' });
    const [request] = seen;
    expect(request!.authorization).toBe(`Basic ${btoa('callsign:a+secret')}`);
    expect(Object.fromEntries(new URLSearchParams(request!.body))).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: SUBJECT,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      audience: 'notes',
      scope: 'read',
    });
  });

  it('names the server if there is no audience', async () => {
    const { credentials, seen } = await start(() => ({ body: { ...GOOD, access_token: 'a' } }));
    await credentials.headers();
    const sent = new URLSearchParams(seen[0]!.body);
    expect([sent.get('resource'), sent.get('client_id')]).toEqual([
      'https://notes.example.com/mcp',
      'callsign',
    ]);
  });

  it('is made once for calls that come together, and once more for a token that is refused', async () => {
    const { credentials, seen } = await start((at) => ({
      body: { ...GOOD, access_token: `token-${at}` },
    }));
    const ten = <T>(run: () => T): Promise<Awaited<T>[]> =>
      Promise.all(Array.from({ length: 10 }, run));
    for (const headers of await ten(() => credentials.headers()))
      expect(headers).toEqual({ authorization: 'Bearer token-0' });
    const old = { authorization: 'Bearer token-0' };
    expect(new Set(await ten(() => credentials.renew(old)))).toEqual(new Set([true]));
    // Of a call that was slower than the others.
    expect(await credentials.renew(old)).toBe(true);
    expect(await credentials.headers()).toEqual({ authorization: 'Bearer token-1' });
    expect(seen).toHaveLength(2);
  });

  it('is not made without a token of the caller', async () => {
    const { credentials, seen, shown } = await start(() => ({ body: {} }));
    shown.subject = undefined;
    expect(await credentials.headers()).toEqual({});
    expect(seen).toEqual([]);
  });
});

describe('an answer', () => {
  it.each([
    ['the token of the caller', { access_token: SUBJECT }, 'the token of the caller itself'],
    [
      'an ID token',
      { access_token: 'a', issued_token_type: 'urn:ietf:params:oauth:token-type:id_token' },
      'no access token',
    ],
    ['a token of no use', { access_token: 'a', token_type: 'N_A' }, ''],
    ['a token with a line end', { access_token: 'a\r\nX: y' }, 'cannot be sent'],
    ['nothing', { access_token: undefined }, ''],
  ])('with %s is not sent to the server', async (_, body, reason) => {
    const { credentials, problems, refused } = await start(() => ({ body: { ...GOOD, ...body } }));
    expect(await credentials.headers()).toEqual({});
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(reason);
    expect(problems[0]).not.toContain(SUBJECT);
    expect(refused).toEqual([]);
  });

  it('that leads elsewhere is not followed', async () => {
    const { credentials, seen } = await start((at) =>
      at === 0
        ? { status: 307, headers: { location: '/elsewhere' } }
        : { body: { access_token: 'a' } },
    );
    expect(await credentials.headers()).toEqual({});
    expect(seen.map(({ path }) => path)).toEqual(['/token']);
  });

  it.each([
    ['invalid_grant', 1],
    ['invalid_target', 1],
    ['invalid_client', 0],
    [SUBJECT, 0],
  ])('with the error %s is about the caller or about us', async (error, count) => {
    const { credentials, problems, refused } = await start(() => ({
      status: 400,
      body: { error, error_description: SUBJECT },
    }));
    expect(await credentials.headers()).toEqual({});
    expect(refused).toHaveLength(count);
    expect(problems.join()).not.toContain(SUBJECT);
  });
});

describe('time', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }));
  afterEach(() => void vi.useRealTimers());

  it('renews a token before it ends', async () => {
    const { credentials, seen } = await start((at) => ({
      body: { ...GOOD, access_token: `token-${at}` },
    }));
    await credentials.headers();
    vi.setSystemTime(Date.now() + 539_000);
    expect(await credentials.headers()).toEqual({ authorization: 'Bearer token-0' });
    vi.setSystemTime(Date.now() + 2_000);
    expect(await credentials.headers()).toEqual({ authorization: 'Bearer token-1' });
    expect(seen).toHaveLength(2);
  });

  it('passes before an endpoint that failed is asked again', async () => {
    const { credentials, seen } = await start((at) =>
      at === 0 ? { status: 500, body: 'no' } : { body: { ...GOOD, access_token: 'a' } },
    );
    for (let i = 0; i < 3; i++) expect(await credentials.headers()).toEqual({});
    expect(seen).toHaveLength(1);
    vi.setSystemTime(Date.now() + 10_000);
    expect(await credentials.headers()).toEqual({ authorization: 'Bearer a' });
  });

  it('ends what callers showed', () => {
    const tokens = new SubjectTokens();
    const [issuer, ann] = ['https://login.example.com', 'sub:ann'];
    let news = 0;
    tokens.onNew = () => void news++;
    tokens.note(issuer, ann, 'first', Date.now() + 1_000);
    tokens.note(issuer, ann, 'longer', Date.now() + 2_000);
    tokens.note(issuer, ann, 'shorter', Date.now() + 500);
    expect([tokens.of(issuer, ann), news]).toEqual(['longer', 1]);
    expect(tokens.of(issuer, 'sub:bob')).toBeUndefined();
    expect(tokens.of('https://other.example.com', ann)).toBeUndefined();
    vi.setSystemTime(Date.now() + 2_000);
    expect(tokens.of(issuer, ann)).toBeUndefined();
    tokens.note(issuer, ann, 'new', Date.now() + 1_000);
    expect(news).toBe(2);
  });
});
