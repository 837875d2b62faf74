/** Signing in with an API key in a real browser: what an operator can do, and what a viewer cannot. */

import { createHash } from 'node:crypto';

import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';

import { plain, startGateway, type GatewayProcess } from '../gateway-process.js';
import { describeInBrowser, goTo, type OpenPage } from './browser.js';
import { violations } from './signed-in-page.js';

const hash = (key: string): string => `sha256:${createHash('sha256').update(key).digest('hex')}`;
const KEYS = [
  { name: 'boss', hash: hash('k-boss-1'), console: 'operator' },
  { name: 'guest', hash: hash('k-guest-1'), console: 'viewer' },
  { name: 'ci', hash: hash('k-ci-1') },
];

function start(): Promise<GatewayProcess> {
  return startGateway({
    servers: { kid: plain() },
    settings: {
      auth: { keys: KEYS },
      lock: 'warn',
      annotations: { 'kid:echo': { preset: 'WRITE_DESTRUCTIVE' } },
      policy: { destructive: 'confirm', confirm: { whenClientCannotAsk: 'wait' } },
    },
    listener: 'http',
  });
}

async function openWith(key: string, open: OpenPage, gateway: GatewayProcess): Promise<Page> {
  const { page } = await open(onTestFinished);
  await page.goto(new URL('/console/', gateway.url).href);
  await page.getByLabel('Or sign in with an API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  return page;
}

/** A call of a client that cannot ask its user. */
async function waitingCall(gateway: GatewayProcess) {
  const client = await gateway.connect({ token: 'k-ci-1' });
  await client.tools();
  return client.request('tools/call', { name: 'kid:echo', arguments: { text: 'hello' } });
}

describeInBrowser('a key of the console', (open) => {
  it('that is unknown, or has no console, does not open it', async () => {
    const gateway = await start();
    const { page, faults } = await open(onTestFinished);
    await page.goto(new URL('/console/', gateway.url).href);
    for (const key of ['k-ci-1', 'nonsense']) {
      await page.getByLabel('Or sign in with an API key').fill(key);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').getByText('This key does not open the console.').waitFor();
      expect(await page.getByRole('navigation').count()).toBe(0);
      expect(await page.locator('body').innerText()).not.toContain('kid');
    }
    // Chromium reports refused requests as errors of the page.
    expect(faults.every((text) => text.includes('401'))).toBe(true);
    (faults as string[]).length = 0;
  });

  it('of an operator decides calls, but adds no server', async () => {
    const gateway = await start();
    const page = await openWith('k-boss-1', open, gateway);
    await page.getByText('live', { exact: true }).waitFor();
    expect(page.url()).not.toContain('k-boss-1');
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('k-boss-1');
    const call = waitingCall(gateway);
    await goTo(page, '#/approvals');
    await page.getByRole('article').getByText('for key:ci').waitFor();
    await page.getByRole('button', { name: 'Allow once' }).click();
    expect((await call).error).toBeUndefined();
    await goTo(page, '#/servers/kid');
    await page.getByRole('button', { name: 'Disable' }).waitFor();
    expect(await page.getByRole('button', { name: 'Add a server' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Or sign in with an API key').waitFor();
    await page.reload();
    await page.getByLabel('Or sign in with an API key').waitFor();
  });

  it('of a viewer shows everything and changes nothing', async () => {
    const gateway = await start();
    const page = await openWith('k-guest-1', open, gateway);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(`${request.method()} ${request.url()}`);
    });
    await page.locator('footer').getByText('viewer').waitFor();
    await page.evaluate(axe.source);
    const call = waitingCall(gateway);
    await goTo(page, '#/approvals');
    const article = page.getByRole('article');
    await article.getByText('A viewer cannot decide.').waitFor();
    expect(await article.getByText('"hello"').count()).toBe(1);
    expect(await article.getByRole('button').count()).toBe(0);
    expect(await violations(page)).toEqual([]);

    await goTo(page, '#/servers/kid');
    const server = page.getByRole('region', { name: 'kid', exact: true });
    await server.getByRole('link', { name: 'Its tools' }).waitFor();
    expect(await server.getByRole('button').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Add a server' }).count()).toBe(0);

    await goTo(page, '#/tools/kid%3Aecho');
    await page.getByText('A viewer cannot call tools.').waitFor();
    await page.getByRole('heading', { name: 'Name in every client' }).waitFor();
    expect(await page.getByRole('button', { name: 'Show what changes' }).count()).toBe(0);

    await goTo(page, '#/policy');
    await page.getByText('A viewer cannot change the policy.').waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);

    await goTo(page, '#/lock');
    await page.locator('.unchanged').getByText('kid').waitFor();
    await (
      await gateway.connect({ token: 'k-ci-1' })
    ).request('tools/call', {
      name: 'kid:add_tool',
      arguments: { name: 'fresh' },
    });
    const locked = page.getByRole('region', { name: 'kid', exact: true });
    await locked.getByText('fresh').waitFor();
    expect(await locked.getByRole('button').count()).toBe(0);
    expect(sent).toEqual([]);

    // The call is still undecided: an operator decides it.
    const boss = await openWith('k-boss-1', open, gateway);
    await boss.getByText('live', { exact: true }).waitFor();
    await goTo(boss, '#/approvals');
    await boss.getByRole('button', { name: 'Deny', exact: true }).click();
    expect((await call).error).toMatchObject({ data: { code: 'not-approved' } });
    await page.goto(new URL('/console/#/approvals', gateway.url).href);
    await page.getByText('No calls are waiting.').waitFor();
  });
});
