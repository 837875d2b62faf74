/** Audit and replay in a real browser: calls of a real client, as they were recorded. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import axe from 'axe-core';
import { expect, it } from 'vitest';

import { journalFolder } from '../../testing/audit-folder.js';
import { plain, startGateway, type GatewayProcess } from '../gateway-process.js';
import { describeInBrowser, goTo, type OpenPage } from './browser.js';
import { cutLabels, signIn, violations, widths } from './signed-in-page.js';

const RULES = [{ match: 'kid:add', when: 'args.b > 10', decision: 'deny', reason: 'too many' }];

async function recording(settings: object = {}): Promise<GatewayProcess & { folder: string }> {
  const folder = journalFolder();
  const gateway = await startGateway({
    servers: { kid: plain() },
    settings: {
      audit: { folder, arguments: 'redacted' },
      policy: { rules: RULES },
      ...settings,
    },
    listener: 'http',
  });
  return Object.assign(gateway, { folder });
}

/** Three calls that differ in tool, decision and outcome. */
async function callThings(gateway: GatewayProcess): Promise<void> {
  const client = await gateway.connect({ name: 'some-agent' });
  await client.tools();
  await client.request('tools/call', { name: 'kid:echo', arguments: { text: 'needle' } });
  await client.request('tools/call', { name: 'kid:add', arguments: { a: 1, b: 2 } });
  await client.request('tools/call', { name: 'kid:add', arguments: { a: 1, b: 20 } });
}

async function auditScreen(open: OpenPage, gateway: GatewayProcess) {
  const { page } = await signIn(open, gateway);
  await goTo(page, '#/audit');
  await page.getByText('3 calls, 1 not ok').waitFor();
  return page;
}

describeInBrowser('the audit screen', (open) => {
  it('lists calls, filters them by address, and shows the path of one through the modules', async () => {
    const gateway = await recording();
    await callThings(gateway);
    const page = await auditScreen(open, gateway);
    const rows = page.locator('.records tbody tr');
    // The statistics and the list arrive in two replies.
    await expect.poll(() => rows.count()).toBe(3);
    await page.getByRole('combobox', { name: 'Any decision' }).selectOption('deny');
    await page.getByText('1 call, 1 not ok').waitFor();
    expect(page.url()).toContain('decision=deny');
    await rows.getByRole('link', { name: 'kid:add' }).click();
    const path = page.getByRole('region', { name: 'kid:add' });
    await path.getByText('policy.rules[0] (too many)').waitFor();
    expect(await path.locator('.path b').allInnerTexts()).toEqual([
      'some-agent',
      'label',
      'policy',
      'end',
    ]);
    expect(await path.getByLabel('Arguments').innerText()).toContain('"b": 20');
    // The address alone shows the same call, even if the list does not have it.
    const shared = page.url().replace('decision=deny', 'decision=allow');
    await page.goto(shared);
    await page.reload();
    await path.getByText('policy.rules[0] (too many)').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('3 calls, 1 not ok').waitFor();
    // New data renders the page again. It must not clear the typed text.
    await page.getByRole('searchbox', { name: 'Search calls' }).fill('needle');
    // A click with the pointer would blur the field, which applies the filter.
    await page.getByRole('button', { name: 'Refresh' }).dispatchEvent('click');
    await callThings(gateway);
    await page.getByRole('button', { name: 'Show 3 new calls' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('2 calls, all ok').waitFor();
  });

  it('says that there are new calls, and shows them on request', async () => {
    const gateway = await recording();
    await callThings(gateway);
    const page = await auditScreen(open, gateway);
    const client = await gateway.connect();
    await client.tools();
    await client.request('tools/call', { name: 'kid:echo', arguments: {} });
    await page.getByRole('button', { name: 'Show 1 new call' }).click();
    await page.getByText('4 calls, 1 not ok').waitFor();
  });

  it('verifies the hash chain, says where it is broken, and exports', async () => {
    const gateway = await recording();
    await callThings(gateway);
    const page = await auditScreen(open, gateway);
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('The records are intact').waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const text = readFileSync(await (await download).path(), 'utf8');
    expect(text.split('\n')[0]).toMatch(/^id,time,kind/);
    expect(text).toContain('kid:echo');
    const file = join(gateway.folder, journalIn(gateway.folder));
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, before.replace('"kid:echo"', '"kid:cosy"'));
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('some are damaged or changed').waitFor();
  });

  it('has a chart with the largest number and with times (M34)', async () => {
    const gateway = await recording();
    await callThings(gateway);
    const page = await auditScreen(open, gateway);
    await page.getByText(/^3 per (minute|hour)$/).waitFor();
    expect(await page.locator('.times span').first().innerText()).toMatch(/\d\d:\d\d$/);
  });

  it('passes axe in both themes, and fits into 375 pixels', async () => {
    const gateway = await recording();
    await callThings(gateway);
    const page = await auditScreen(open, gateway);
    await page.evaluate(axe.source);
    for (const theme of ['dark', 'light']) {
      if (theme === 'light') await page.getByRole('button', { name: 'Light' }).click();
      await goTo(page, '#/audit');
      await page.getByText('3 calls, 1 not ok').waitFor();
      expect([theme, await violations(page)]).toEqual([theme, []]);
      await page.locator('.records a').first().click();
      await page.getByRole('heading', { name: 'Path' }).waitFor();
      expect([theme, await violations(page)]).toEqual([theme, []]);
    }
    await page.setViewportSize({ width: 375, height: 740 });
    await expect.poll(() => widths(page)).toEqual([375, 375]);
    await goTo(page, '#/audit');
    await page.getByText('3 calls, 1 not ok').waitFor();
    expect(await widths(page)).toEqual([375, 375]);
    expect(await cutLabels(page)).toEqual([]);
  });

  it('shows the calls of a tool beside it', async () => {
    const gateway = await recording();
    await callThings(gateway);
    const page = await auditScreen(open, gateway);
    await goTo(page, '#/tools/kid%3Aadd');
    await page.getByRole('heading', { name: 'Recent calls' }).waitFor();
    await expect.poll(() => page.locator('.recent li').count()).toBe(2);
    await page.locator('.recent a').first().click();
    await page.getByRole('heading', { name: 'Path' }).waitFor();
  });

  it('replays recorded calls under changed rules', async () => {
    const gateway = await recording();
    await callThings(gateway);
    const page = await auditScreen(open, gateway);
    await goTo(page, '#/policy');
    await page.getByRole('textbox').fill('{ "rules": [{ "match": "kid:*", "decision": "deny" }] }');
    await page.getByRole('button', { name: /Replay the calls/ }).click();
    const status = page.getByText(
      'Of 3 recorded calls 1 would get the same decision, and these differently:',
    );
    await status.waitFor();
    const changes = page.locator('.effects').last();
    expect(await changes.innerText()).toMatch(/kid:echo[^]*1 ×[^]*allow[^]*→[^]*deny/);
  });

  it('says what cannot be replayed', async () => {
    const folder = journalFolder();
    const gateway = await recording({ audit: { folder } });
    await callThings(gateway);
    const page = await auditScreen(open, gateway);
    await goTo(page, '#/policy');
    await page
      .getByRole('textbox')
      .fill('{ "rules": [{ "when": "args.b > 100", "decision": "deny" }] }');
    await page.getByRole('button', { name: /Replay the calls/ }).click();
    await page.getByText('3 calls: a rule reads arguments, and they were not recorded.').waitFor();
  });
});

function journalIn(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.find((name) => name.endsWith('.jsonl'))!;
}
