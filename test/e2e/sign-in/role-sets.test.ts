/** People of an OpenID provider whose role has a set: they stay in it, whether they sign in here or bring a token. */

import { expect, it } from 'vitest';

import { freePort } from '../../../scripts/free-port.mjs';
import { Browser } from '../../../packages/auth/src/authorization/testing/browser.js';
import {
  type OpenIdProvider,
  PROVIDER_SECRET,
  startOpenIdProvider,
} from '../../../packages/auth/src/authorization/testing/openid-provider.js';
import { TokenIssuer } from '../../../packages/auth/src/callers/testing/token-issuer.js';
import { connectSdk } from '../clients/connect-sdk.js';
import { type GatewayProcess, plain, startGateway } from '../gateway-process.js';
import { authorizeUrl, KNOWN_CLIENT, tokensFor } from './known-client.js';

const ROLES = {
  reader: { allow: ['*'], set: 'looking' },
  adder: { allow: ['kid:echo'] },
};

async function start(port: number, auth: object): Promise<GatewayProcess> {
  return await startGateway({
    servers: { kid: plain() },
    settings: {
      audit: { mode: 'best-effort' },
      auth: { keys: [], ...auth },
      sets: { looking: { tools: ['kid:add'] }, all: {} },
      roles: ROLES,
    },
    listener: 'http',
    flags: ['--http', String(port)],
    env: { LOGIN_SECRET: PROVIDER_SECRET },
  });
}

/** The names of the tools at an address, and the answer to a call outside of the set. */
async function seen(address: string, token: string): Promise<{ names: string[]; called: string }> {
  const client = await connectSdk(address, token);
  const names = (await client.listTools()).tools.map(({ name }) => name);
  const called = await client.callTool({ name: 'kid:echo', arguments: { a: 1 } }).then(
    (result) => JSON.stringify(result),
    (error: Error) => error.message,
  );
  return { names, called };
}

async function signIn(origin: string, provider: OpenIdProvider): Promise<string> {
  const url = authorizeUrl(origin);
  const browser = new Browser();
  const { location } = await browser.open(url);
  const back = await provider.signIn(browser, location!, 'ann');
  const page = await browser.follow(back);
  expect(page.text).toContain('reader (only the tool set looking)');
  const sent = await browser.submit(page, url, { answer: 'allow' });
  return (await tokensFor(origin, sent.location!)).access_token;
}

const paths = (origin: string) =>
  ['/mcp', '/mcp/profile/portable', '/mcp/set/all'].map((path) => `${origin}${path}`);

it('holds for people who sign in, at every address', async () => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const provider = await startOpenIdProvider();
  provider.register(`${origin}/authorize/callback`);
  await start(port, {
    signIn: {
      origin,
      keys: false,
      clients: [KNOWN_CLIENT],
      oidc: { issuer: provider.issuer, clientId: 'callsign', clientSecret: '${LOGIN_SECRET}' },
    },
  });
  const token = await signIn(origin, provider);
  for (const address of paths(origin)) {
    const { names, called } = await seen(address, token);
    expect(names.map((name) => name.replace(/^kid\W+|^kid__/, ''))).toEqual(['add']);
    expect(called).toContain('kid:echo');
    expect(called).not.toContain('structuredContent');
  }
}, 60_000);

it('holds for their tokens; another role adds what it allows', async () => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const issuer = await TokenIssuer.start();
  await start(port, { tokens: { issuer: issuer.url, resource: `${origin}/mcp` } });
  const tokenFor = (...roles: string[]) => issuer.token({ aud: `${origin}/mcp`, roles });
  const reader = await tokenFor('reader');
  for (const address of paths(origin)) {
    const { names, called } = await seen(address, reader);
    expect(names).toHaveLength(1);
    expect(called).not.toContain('structuredContent');
  }
  const both = await seen(`${origin}/mcp`, await tokenFor('reader', 'adder'));
  expect(both.names.toSorted()).toEqual(['kid:add', 'kid:echo']);
  expect(both.called).toContain('"structuredContent":{"a":1}');
}, 60_000);
