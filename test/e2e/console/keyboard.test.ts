/** The console with the keyboard alone, and clicks anywhere in a row (M23, M25). */

import axe from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';

import { journalFolder } from '../../testing/audit-folder.js';
import { plain, startGateway, type GatewayProcess } from '../gateway-process.js';
import { describeInBrowser, goTo } from './browser.js';
import { signIn, violations } from './signed-in-page.js';

async function withCalls(): Promise<GatewayProcess> {
  const gateway = await startGateway({
    servers: { kid: plain(), other: plain() },
    settings: { audit: { folder: journalFolder() } },
    listener: 'http',
  });
  const client = await gateway.connect();
  await client.tools();
  for (const name of ['kid:echo', 'other:echo', 'kid:echo']) {
    await client.request('tools/call', { name, arguments: { text: 'x' } });
  }
  return gateway;
}

const focused = (page: Page): Locator => page.locator(':focus');

/** What has the focus: the address of a link, or the name of anything else. */
function focusedName(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const { activeElement: at } = document;
    const heading = document.getElementById(at.getAttribute('aria-labelledby'));
    return decodeURIComponent(at.hash ?? '') || at.ariaLabel || heading?.textContent || at.tagName;
  })()`);
}

describeInBrowser('the keyboard', (open) => {
  it('finds, opens and leaves a tool', async () => {
    const gateway = await withCalls();
    const { page } = await signIn(open, gateway);
    await goTo(page, '#/tools');
    await page.getByRole('link', { name: /other:add / }).waitFor();
    await page.keyboard.press('/');
    expect(await focusedName(page)).toBe('Search tools');
    await page.keyboard.type('two numbers');
    await expect.poll(() => page.locator('.tool-row').count()).toBe(2);
    await page.keyboard.press('ArrowDown');
    expect(await focusedName(page)).toBe('#/tools/kid:add?q=two+numbers');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await focusedName(page)).toBe('#/tools/other:add?q=two+numbers');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('region', { name: 'other:add' });
    await panel.getByRole('heading', { name: 'Label' }).waitFor();
    await expect.poll(() => focusedName(page)).toBe('other:add');
    // A field is left first, then the panel.
    await panel.getByLabel('a', { exact: true }).focus();
    await page.keyboard.type('/?');
    expect(await focusedName(page)).toBe('a');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.keyboard.press('Escape');
    await expect.poll(() => focusedName(page)).toBe('other:add');
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await expect.poll(() => focusedName(page)).toBe('#/tools/other:add?q=two+numbers');
    await page.keyboard.press('ArrowUp');
    expect(await focusedName(page)).toBe('#/tools/kid:add?q=two+numbers');
  });

  it.each([
    ['servers', '#/servers/kid', 'kid'],
    ['audit', /^#\/audit\/\w+-\d+$/, 'kid:echo'],
  ])('goes through the rows of %s', async (screen, address, name) => {
    const gateway = await withCalls();
    const { page } = await signIn(open, gateway);
    await goTo(page, `#/${screen}`);
    await page.locator('.row-link').first().waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await focusedName(page)).toMatch(address);
    await page.keyboard.press('Enter');
    const panel = page.getByRole('region', { name, exact: true });
    await panel.waitFor();
    await expect.poll(() => focusedName(page)).toBe(name);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await expect.poll(() => focusedName(page)).toMatch(address);
    await page.keyboard.press('ArrowDown');
    expect(await focusedName(page)).not.toMatch(address instanceof RegExp ? /^$/ : address);
    expect(await focused(page).getAttribute('class')).toContain('row-link');
  });

  it('shows its keys', async () => {
    const gateway = await startGateway({ servers: { kid: plain() }, listener: 'http' });
    const { page } = await signIn(open, gateway);
    await page.keyboard.press('?');
    const overview = page.getByRole('dialog', { name: 'Keys' });
    await overview.waitFor();
    await page.evaluate(axe.source);
    expect(await violations(page)).toEqual([]);
    // The keys of the page behind it do nothing.
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    await overview.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Keys' }).click();
    await overview.getByRole('button', { name: 'Close' }).click();
    await overview.waitFor({ state: 'detached' });
  });
});

/** Clicks at the right end of a row, far from its name. */
async function clickAtEnd(page: Page, row: Locator): Promise<void> {
  await row.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await row.boundingBox())!;
  await page.mouse.click(x + width - 6, y + height / 2);
}

describeInBrowser('a click anywhere in a row', (open) => {
  it('opens it', async () => {
    const gateway = await withCalls();
    const { page } = await signIn(open, gateway);
    await clickAtEnd(page, page.locator('.health li').last());
    await page.getByRole('region', { name: 'other', exact: true }).waitFor();
    await clickAtEnd(page, page.getByRole('row', { name: /^kid/ }));
    await page.getByRole('region', { name: 'kid', exact: true }).waitFor();
    await goTo(page, '#/audit');
    await clickAtEnd(page, page.locator('.records tbody tr').nth(1));
    await page.getByRole('region', { name: 'other:echo', exact: true }).waitFor();
    await goTo(page, '#/tools/kid%3Aecho');
    await clickAtEnd(page, page.locator('.recent li').first());
    await page.getByRole('heading', { name: 'Path' }).waitFor();
  });
});
