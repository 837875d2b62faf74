/** People who sign in at a real OpenID provider. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { describe, expect, it, onTestFinished } from 'vitest';

import { Browser } from './testing/browser.js';
import {
  type OpenIdProvider,
  PROVIDER_SECRET,
  startOpenIdProvider,
} from './testing/openid-provider.js';
import { SigningInGateway, type Tokens } from './testing/signing-in-gateway.js';

async function start(
  signIn: object = {},
): Promise<{ gateway: SigningInGateway; provider: OpenIdProvider }> {
  const provider = await startOpenIdProvider();
  const oidc = { issuer: provider.issuer, clientId: 'callsign', clientSecret: PROVIDER_SECRET };
  const gateway = await SigningInGateway.start({ signIn: { oidc, ...signIn } });
  provider.register(`${gateway.origin}/authorize/callback`);
  return { gateway, provider };
}

/** Where the link of the sign-in page leads. */
async function loginPage(gateway: SigningInGateway, browser: Browser): Promise<URL> {
  const asked = await browser.open(gateway.authorizeUrl());
  const link = /href="(\/authorize\/provider[^"]+)"/.exec(asked.text)![1]!;
  const { location } = await browser.open(new URL(link.replaceAll('&#38;', '&'), gateway.origin));
  return location!;
}

describe('a person with an account at a provider', () => {
  it('signs in there, and is known by its subject and roles', async () => {
    const { gateway, provider } = await start();
    const browser = new Browser();
    const back = await provider.signIn(browser, await loginPage(gateway, browser), 'bob');
    expect(back.origin).toBe(gateway.origin);
    const page = await browser.open(back);
    expect(page.text).toContain('bob@people.example');
    const { location } = await browser.submit(page, gateway.origin, { answer: 'allow' });
    const response = await gateway.exchange(location!.searchParams.get('code')!);
    const tokens = (await response.json()) as Tokens;
    const bob = { name: 'sub:bob', roles: ['reader'] };
    expect(await gateway.callerOf(tokens.access_token)).toEqual(bob);
    expect(gateway.authentication.holds(bob)).toBe(true);
    expect(gateway.authentication.holds({ ...bob, roles: ['admin'] })).toBe(false);
    // Another instance admits the same person, as long as the sign-in is in the store.
    const stated = gateway.authentication.state(bob);
    expect(gateway.authentication.admit(stated)).toEqual(bob);
    await gateway.store.change((state) => void (state.signIns = []));
    expect(await gateway.callerOf(tokens.access_token)).toBeUndefined();
    expect(gateway.authentication.holds(bob)).toBe(false);
    expect(gateway.authentication.admit(stated)).toMatchObject({ status: 401 });
    expect(gateway.stored).not.toContain(PROVIDER_SECRET);
  });

  it('is sent there at once if keys are not accepted', async () => {
    const { gateway, provider } = await start({ keys: false });
    const browser = new Browser();
    const { location } = await browser.open(gateway.authorizeUrl());
    expect(location!.origin).toBe(provider.issuer);
    const page = await browser.open(await provider.signIn(browser, location!, 'bob'));
    expect(page.text).toContain('bob@people.example');
    const form = { request: 'x', key: 'x' };
    expect((await browser.post(`${gateway.origin}/authorize/key`, form)).text).toContain(
      'Keys are not accepted here',
    );
  });

  it.each([
    ['state', 'another state'],
    ['iss', 'another issuer (mix-up)'],
    ['code', 'another code'],
  ])('is not believed if %s is wrong', async (name) => {
    const { gateway, provider } = await start();
    const browser = new Browser();
    const back = await provider.signIn(browser, await loginPage(gateway, browser), 'bob');
    expect(back.searchParams.get(name)).not.toBeNull();
    back.searchParams.set(name, 'https://evil.example');
    const page = await browser.open(back);
    expect(page.status).toBe(400);
    expect(page.text).toContain('did not confirm who you are');
  });

  it('cannot be signed in with the answer of another person, or twice with one', async () => {
    const { gateway, provider } = await start();
    const attacker = new Browser();
    const back = await provider.signIn(attacker, await loginPage(gateway, attacker), 'mallory');
    const victim = new Browser();
    await loginPage(gateway, victim);
    for (const browser of [victim, new Browser()]) {
      expect((await browser.open(back)).status).toBe(400);
    }
    expect((await attacker.open(back)).status).toBe(200);
    expect((await attacker.open(back)).status).toBe(400);
  });

  it('learns that the provider cannot be reached, and the operator learns why', async () => {
    const server = createServer((_, response) => response.writeHead(500).end());
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => void server.close());
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const oidc = { issuer, clientId: 'callsign', name: 'Example Login' };
    const gateway = await SigningInGateway.start({ signIn: { oidc, keys: false } });
    const page = await new Browser().open(gateway.authorizeUrl());
    expect(page.status).toBe(400);
    expect(page.text).toContain('Example Login cannot be reached now');
    expect(gateway.log.join()).toContain('Example Login cannot be reached now');
  });
});
