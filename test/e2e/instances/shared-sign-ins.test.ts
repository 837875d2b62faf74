/** People who sign in, and their accounts at servers, at gateways that share a database. */

import { createApiKey } from '@callsign/auth';
import { expect, it } from 'vitest';

import { freePort } from '../../../scripts/free-port.mjs';
import { Browser } from '../../../packages/auth/src/authorization/testing/browser.js';
import { describePostgres, type TestPostgres } from '../../testing/postgres.js';
import { continueTo } from '../accounts/account-gateway.js';
import { type AccountServer, startAccountServer } from '../accounts/account-server.js';
import { connectSdk } from '../clients/connect-sdk.js';
import { askForTokens, KNOWN_CLIENT, signInWith, type Tokens } from '../sign-in/known-client.js';
import { type Machine, machines } from './machines.js';

const ANN = createApiKey();
const STORAGE = { secrets: ['a secret of the storage in this test'] };

interface Pair {
  /** The address that people know, of the first. */
  readonly origin: string;
  readonly a: Machine;
  readonly b: Machine;
}

async function pair(postgres: TestPostgres, server?: AccountServer): Promise<Pair> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const settings = {
    auth: {
      keys: [{ name: 'ann', hash: ANN.hash, roles: ['user'] }],
      signIn: { origin, clients: [KNOWN_CLIENT] },
    },
    roles: { user: { allow: ['*'] } },
    ...(server ? { servers: { notes: { accounts: { by: 'caller' } } } } : {}),
  };
  const servers = server ? { servers: { notes: { url: server.url } } } : {};
  const shared = { storage: STORAGE, ...servers };
  const [a] = await machines(postgres, 1, settings, { ...shared, flags: ['--http', String(port)] });
  const [b] = await machines(postgres, 1, settings, { ...shared, beside: a! });
  return { origin, a: a!, b: b! };
}

/** Ann says yes on the pages of the first. The tokens come from the other. */
const signIn = ({ origin, b }: Pair): Promise<Tokens> => signInWith(ANN.key, origin, b.gateway.url);

const renewed = ({ gateway }: Machine, { refresh_token }: Tokens) =>
  askForTokens(gateway.url, { grant_type: 'refresh_token', refresh_token });

async function sum({ gateway }: Machine, { access_token: token }: Tokens): Promise<unknown> {
  const client = await connectSdk(gateway.url, token);
  const { structuredContent } = await client.callTool({
    name: 'kid:add',
    arguments: { a: 1, b: 2 },
  });
  return structuredContent;
}

/** The status of a request with a token. */
async function statusAt({ gateway }: Machine, { access_token: token }: Tokens): Promise<number> {
  const response = await fetch(gateway.url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  await response.text();
  return response.status;
}

/** Other instances hear of it from the database, a moment later. */
const ended = (machine: Machine, tokens: Tokens): Promise<void> =>
  expect.poll(() => statusAt(machine, tokens)).toBe(401);

describePostgres('a sign-in at gateways that share a database', (postgres) => {
  it('counts at each of them, is renewed at each, and ends at all', async () => {
    const all = await pair(postgres);
    const { a, b } = all;
    const first = await signIn(all);
    for (const machine of [b, a]) expect(await sum(machine, first)).toEqual({ sum: 3 });
    const { body: second } = await renewed(b, first);
    const { body: third } = await renewed(a, second);
    for (const machine of [b, a]) expect(await sum(machine, third)).toEqual({ sum: 3 });

    const { answer } = await a.command('sign-ins', 'revoke', '--person', 'key:ann');
    expect(answer['revoked']).toHaveLength(1);
    for (const machine of [b, a]) {
      await ended(machine, third);
      expect((await renewed(machine, third)).body).toMatchObject({ error: 'invalid_grant' });
    }
    expect((await b.command('sign-ins', 'list')).answer['signIns']).toEqual([]);
  }, 90_000);

  it('ends when a refresh token is used twice, at two of them', async () => {
    const all = await pair(postgres);
    const { a, b } = all;
    const first = await signIn(all);
    const { body: second } = await renewed(a, first);
    expect(await statusAt(b, second)).not.toBe(401);
    expect((await renewed(b, first)).body).toMatchObject({ error: 'invalid_grant' });
    for (const machine of [a, b]) {
      await ended(machine, second);
      expect((await renewed(machine, second)).status).toBe(400);
    }
    expect(b.gateway.stderr).toContain('It may have been stolen');
    // Two at the same moment are a second use too.
    const third = await signIn(all);
    const both = await Promise.all([a, b].map((machine) => renewed(machine, third)));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const { body: lost } = both.find(({ status }) => status === 200)!;
    for (const machine of [a, b]) await ended(machine, lost);
  }, 90_000);

  it('lets a person use at one the account that was linked at another', async () => {
    const server = await startAccountServer();
    const all = await pair(postgres, server);
    const { a, b, origin } = all;
    const tokens = await signIn(all);
    const there = await connectSdk(b.gateway.url, tokens.access_token);
    const names = async () => (await there.listTools()).tools.map(({ name }) => name);
    expect(await names()).toEqual(['notes:sign_in']);
    const refused = await there.callTool({ name: 'notes:sign_in', arguments: {} });
    const link = /http:\S+/.exec(JSON.stringify(refused.content))![0].replace(/[\\"].*$/, '');
    expect(link.startsWith(origin)).toBe(true);

    const browser = new Browser();
    const sent = await browser.submit(await browser.open(link), link, { key: ANN.key });
    const page = sent.location ? await browser.follow(sent.location) : sent;
    const back = await server.signIn(browser, continueTo(page), 'annie');
    expect((await browser.follow(back)).text).toContain('is linked');

    await expect.poll(names).toEqual(['notes:whoami']);
    const called = await there.callTool({ name: 'notes:whoami', arguments: {} });
    expect(JSON.stringify(called.content)).toContain('whoami of annie');
    server.expire();
    const here = await connectSdk(a.gateway.url, tokens.access_token);
    for (const client of [there, here]) {
      const again = await client.callTool({ name: 'notes:whoami', arguments: {} });
      expect(JSON.stringify(again.content)).toContain('whoami of annie');
    }
    expect(server.renewals).toBe(1);

    expect((await a.command('accounts', 'remove', '--person', 'key:ann')).code).toBe(0);
    await expect.poll(names).toEqual(['notes:sign_in']);
    const before = server.requests.length;
    const late = await there
      .callTool({ name: 'notes:whoami', arguments: {} })
      .catch((error: Error) => error.message);
    expect(JSON.stringify(late)).toMatch(/accounts\/link|notes:whoami/);
    expect(server.requests.length).toBe(before);
  }, 90_000);
});
