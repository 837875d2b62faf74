/** The screen People: who is signed in and who has accounts, and how an operator ends both. */

import axe from 'axe-core';
import { expect, it, onTestFinished } from 'vitest';

import { createApiKey } from '@callsign/auth';
import type { PeopleData } from '@callsign/gateway/admin/data';

import { freePort } from '../../../scripts/free-port.mjs';
import { Home } from '../cli/callsign.js';
import { type GatewayProcess, plain, startGateway } from '../gateway-process.js';
import { KNOWN_CLIENT, signInWith } from '../sign-in/known-client.js';
import { describeInBrowser, goTo } from './browser.js';
import { adminFetch, consoleLink } from './console-link.js';
import { signIn, violations, widths } from './signed-in-page.js';

const [ANN, BOSS, VIEWER] = [createApiKey(), createApiKey(), createApiKey()];

/** A gateway at which Ann is signed in, and the operator has linked an account. */
async function start(home: Home): Promise<{ gateway: GatewayProcess; token: string }> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const gateway = await startGateway({
    servers: { kid: plain() },
    settings: {
      auth: {
        keys: [
          { name: 'ann', hash: ANN.hash, roles: ['reader'] },
          { name: 'boss', hash: BOSS.hash, roles: [], console: 'operator' },
          { name: 'viewer', hash: VIEWER.hash, roles: [], console: 'viewer' },
        ],
        signIn: { origin, clients: [KNOWN_CLIENT] },
      },
      roles: { reader: { allow: ['*'] } },
      servers: { kid: { accounts: { by: 'caller', slots: { KID_TOKEN: { label: 'Token' } } } } },
    },
    listener: 'http',
    flags: ['--http', String(port)],
    env: home.env(),
  });
  const login = ['login', 'kid', '--config', gateway.config];
  const linked = await home.run(login, { input: 'secret-of-the-operator\n' });
  expect(linked, linked.stderr).toMatchObject({ code: 0 });
  const { access_token: token } = await signInWith(ANN.key, origin);
  return { gateway, token };
}

async function statusOf({ url }: GatewayProcess, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return (await fetch(url, { method: 'POST', headers, body: '{}' })).status;
}

it('people are listed to viewers, and ended by operators only', async () => {
  const { gateway, token } = await start(new Home());
  const { origin } = new URL(gateway.url);
  const [boss, viewer] = [adminFetch(origin, BOSS.key), adminFetch(origin, VIEWER.key)];
  const seen = await viewer<PeopleData>('GET', '/people');
  expect(seen.body).toMatchObject({
    signIns: [{ person: 'key:ann', clientId: 'known', roles: ['reader'] }],
    accounts: [{ person: 'local', server: 'kid' }],
  });
  for (const secret of [token, ANN.hash, 'secret-of-the-operator'])
    expect(JSON.stringify(seen)).not.toContain(secret);
  const { id } = seen.body.signIns[0]!;
  const revoke = '/people/sign-ins/revoke';
  const remove = '/people/accounts/remove';
  expect((await viewer('POST', revoke, { ids: [id] })).status).toBe(403);
  expect((await viewer('POST', remove, { person: 'local', server: 'kid' })).status).toBe(403);
  // A client of a person is no operator.
  const client = adminFetch(origin, token);
  expect((await client('GET', '/people')).status).toBe(401);
  expect((await boss('POST', revoke, { ids: ['x'] })).status).toBe(404);
  expect((await boss('POST', remove, { person: 'key:ann', server: 'kid' })).status).toBe(404);
  expect(await statusOf(gateway, token)).not.toBe(401);
  expect((await boss('POST', revoke, { ids: [id] })).body).toMatchObject({ signIns: [] });
  expect(await statusOf(gateway, token)).toBe(401);
});

describeInBrowser('the screen People', (open) => {
  it('shows who is signed in, and ends sign-ins and accounts', async () => {
    const home = new Home();
    const { gateway, token } = await start(home);
    const { page } = await open(onTestFinished);
    await page.goto(await consoleLink(gateway, home.env()));
    await page.getByRole('link', { name: 'People' }).waitFor();
    await goTo(page, '#/people');
    await page.getByText('key:ann').waitFor();
    await page.evaluate(axe.source);
    for (const width of [1440, 375]) {
      await page.setViewportSize({ width, height: 900 });
      for (const each of await widths(page)) expect(each).toBeLessThanOrEqual(width);
      expect([width, await violations(page)]).toEqual([width, []]);
      const pictures = process.env['CALLSIGN_PICTURES'];
      if (pictures !== undefined && pictures !== 'docs')
        await page.screenshot({ path: `${pictures}/people-${width}.png` });
    }
    await page.getByRole('button', { name: /^Revoke the sign-in of key:ann/ }).click();
    await page.getByText('No one is signed in.').waitFor();
    expect(await statusOf(gateway, token)).toBe(401);
    await page.getByRole('button', { name: 'Remove the account of local at kid' }).click();
    await page.getByText('No one has linked an account.').waitFor();
  });

  it('is left out where people cannot sign in', async () => {
    const gateway = await startGateway({ servers: { kid: plain() }, listener: 'http' });
    const { page } = await signIn(open, gateway);
    await page.getByRole('link', { name: 'Approvals' }).waitFor();
    await page.getByText('kid').first().waitFor();
    expect(await page.getByRole('link', { name: 'People' }).count()).toBe(0);
  });
});
