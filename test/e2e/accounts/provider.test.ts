/** Accounts of people who sign in at an OpenID provider. */

import { expect, it } from 'vitest';

import {
  PROVIDER_SECRET,
  startOpenIdProvider,
} from '../../../packages/auth/src/authorization/testing/openid-provider.js';
import type { Seen } from '../../../packages/auth/src/authorization/testing/browser.js';
import { AccountGateway, Browser, continueTo } from './account-gateway.js';
import { startAccountServer } from './account-server.js';

/** As many groups as a company's provider may name, and one that the configuration knows. */
const ROLES = [
  ...Array.from({ length: 99 }, (_, i) => `0f1e2d3c-4b5a-6978-8796-${String(i).padStart(12, '0')}`),
  'user',
];

async function start() {
  const provider = await startOpenIdProvider({ roles: ROLES, email: 'ann@people.example' });
  const { issuer } = provider;
  const oidc = { issuer, clientId: 'callsign', clientSecret: PROVIDER_SECRET };
  const gateway = await AccountGateway.start(await startAccountServer(), {
    signIn: { keys: false, oidc },
  });
  provider.register(`${gateway.origin}/authorize/callback`);
  /** The page that an address leads to, after a sign-in as `name` if one is asked for. */
  const open = async (browser: Browser, url: string, name: string): Promise<Seen> => {
    const seen = await browser.follow(url, (each) => each.origin === issuer);
    if (!seen.location) return seen;
    return await browser.follow(await provider.signIn(browser, seen.location, name));
  };
  return { gateway, issuer, open };
}

it('a person with many roles links an account, and is not sent back to the provider without an end', async () => {
  const { gateway, open } = await start();
  const browser = new Browser();
  const page = await open(browser, gateway.linkAddress, 'ann');
  expect(page.text).toContain('Continue to');
  const back = await gateway.server.signIn(browser, continueTo(page), 'annie');
  expect((await browser.follow(back)).text).toContain('is linked');
  expect(gateway.gateway.shared.stateStores.accounts.list()).toMatchObject([
    { person: 'sub:ann', server: 'notes' },
  ]);
});

it('a person who has another subject than before reaches nothing of it, and ends nothing that it began', async () => {
  const { gateway, issuer, open } = await start();
  const browser = new Browser();
  const first = await open(browser, gateway.linkAddress, 'ann');
  const begun = continueTo(first);
  const form = /name="request" value="([^"]+)"/;
  const [, request] = form.exec((await browser.open(`${gateway.origin}/accounts`)).text)!;
  await browser.post(`${gateway.origin}/accounts/sign-out`, { request: request! });
  // The same browser and the same e-mail address, but the provider says that it is another person.
  browser.forget(issuer);
  const second = await open(browser, `${gateway.origin}/accounts`, 'other');
  expect(second.text).toContain('ann@people.example');
  expect(second.text).not.toContain('Linked on');
  const back = await gateway.server.signIn(browser, begun, 'annie');
  expect((await browser.follow(back)).text).toContain('This page is too old');
  expect(gateway.gateway.shared.stateStores.accounts.list()).toEqual([]);
});
