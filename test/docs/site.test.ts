/** The documentation site: built from the real pages, and opened in a real browser. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { brokenLinks } from '../../scripts/docs/check-links.mjs';
import { INDEXES, pagesInOrder } from '../../scripts/docs/contents.mjs';
import { createLinks, siteFile } from '../../scripts/docs/links.mjs';
import { ROOT } from '../architecture/tree.js';
import { describeInBrowser } from '../e2e/console/browser.js';
import { violations, widths } from '../e2e/console/signed-in-page.js';
import { scratch } from '../testing/scratch.js';
import { BUILD_SITE, serveSite, type ServedSite } from './testing/served-site.js';

let site: ServedSite;
beforeAll(async () => {
  site = await serveSite();
});
afterAll(() => site.stop());

/** Pages with pictures, with coloured code and with tables. */
const KINDS = ['index.html', 'docs/clients/cursor.html', 'docs/limits.html'];
const WIDE = ['docs/labels.html', 'docs/lifecycle.html', 'docs/reference/configuration.html'];

describe('the documentation site', () => {
  it('has every page of the contents, and links that lead somewhere', () => {
    const files = [...pagesInOrder(), ...INDEXES].map(siteFile);
    expect(files.filter((file) => !existsSync(join(site.folder, file)))).toEqual([]);
    expect(brokenLinks(site.folder)).toEqual([]);
  });

  it('loads nothing from elsewhere, and is small', () => {
    const html = readFileSync(join(site.folder, 'docs/policy.html'), 'utf8');
    const loaded = [...html.matchAll(/<(?:script|link|img)[^>]*(?:src|href)="([^"]*)"/g)];
    expect(loaded.map(([, address]) => address)).toContain('../assets/site.css');
    expect(loaded.filter(([, address]) => !address!.startsWith('../assets/'))).toEqual([]);
    expect(html).toContain(`content="default-src 'none'; script-src 'self' file:;`);
    const sizes = ['theme.js', 'site.js', 'site.css'].map(
      (name) => gzipSync(readFileSync(join(site.folder, 'assets', name))).length,
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(15_000);
  });

  it('is refused if a link names a page, an anchor or a picture that does not exist', () => {
    const folder = scratch();
    mkdirSync(join(folder, 'docs'));
    writeFileSync(join(folder, 'index.html'), '<h1 id="a">A</h1><a href="docs/b.html#c">b</a>');
    writeFileSync(
      join(folder, 'docs/b.html'),
      '<a href="../index.html#a">a</a><img src="no.svg"><a href="https://x.example/#y">x</a>',
    );
    expect(brokenLinks(folder)).toEqual([
      'docs/b.html: no.svg leads to no file of the site.',
      'index.html: docs/b.html has no heading #c.',
    ]);
    const links = createLinks({ root: ROOT, pages: new Set(['docs/names.md']) });
    links.resolve('docs/policy.md', 'gone.md');
    expect(links.problems).toEqual([
      'docs/policy.md: gone.md leads to docs/gone.md, which does not exist.',
    ]);
  });

  it('links source files only if it knows the repository', () => {
    const pages = new Set(['docs/names.md', 'packages/core/README.md']);
    const links = createLinks({ root: ROOT, pages });
    const resolve = (link: string) => links.resolve('docs/policy.md', link);
    expect(resolve('names.md#identity')).toMatchObject({ href: 'names.html#identity' });
    expect(resolve('../packages/core')).toMatchObject({ href: '../packages/core/index.html' });
    expect(resolve('../package.json')).toEqual({ path: 'package.json' });
    const known = createLinks({ root: ROOT, pages, repository: 'https://x.example/c' });
    expect(known.resolve('docs/policy.md', '../package.json')).toEqual({
      href: 'https://x.example/c/blob/HEAD/package.json',
    });
  });

  it('never removes a folder that is not a site', () => {
    const folder = scratch();
    writeFileSync(join(folder, 'mine.txt'), 'keep');
    const { status, stderr } = spawnSync(process.execPath, [BUILD_SITE, '--out', folder], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining('is not a site')]);
    expect(readFileSync(join(folder, 'mine.txt'), 'utf8')).toBe('keep');
  });
});

const path = (page: Page) => page.url().replace(/^.*?\/(?=docs\/|index)/, '');
const background = (page: Page) =>
  page.evaluate<string>('getComputedStyle(document.body).backgroundColor');

describeInBrowser('the documentation site in a browser', (open) => {
  it('follows links, and the order of the pages', async () => {
    const { page } = await open(onTestFinished);
    await page.goto(site.url);
    await page.locator('article a[href="docs/policy.html"]').first().click();
    await page.getByRole('heading', { name: 'Policy', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Next' }).click();
    await page.getByRole('heading', { name: 'Scripts with one approval' }).waitFor();
    await page.getByRole('link', { name: 'Previous' }).click();
    await page.getByRole('navigation', { name: 'On this page' }).getByText('Roles').click();
    await expect.poll(() => path(page)).toBe('docs/policy.html#roles');
    const menu = page.getByRole('navigation', { name: 'Pages' });
    await menu.getByText('Clients', { exact: true }).click();
    await menu.getByRole('link', { name: 'Zed' }).click();
    await page.getByRole('heading', { name: 'Zed', level: 1 }).waitFor();
    expect(await menu.locator('[aria-current]').innerText()).toBe('Zed');
    await page.goto(`${site.url}architecture.html`);
    // Its place in the menu is below the window. The menu scrolls, and the page does not.
    await expect.poll(() => page.evaluate(`document.querySelector('#menu').scrollTop`)).not.toBe(0);
    expect(await page.evaluate('scrollY')).toBe(0);
  });

  it('searches as you type, with the keyboard alone', async () => {
    const { page } = await open(onTestFinished);
    await page.goto(`${site.url}docs/lint/name-case.html`);
    await page.keyboard.press('/');
    await page.keyboard.type('listWaitMs');
    const results = page.getByRole('option');
    await page.getByRole('option', { name: 'Configuration › listWaitMs' }).waitFor();
    expect(await results.first().getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowDown');
    expect(await results.nth(1).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect.poll(() => path(page)).toBe('docs/reference/configuration.html#of-listwaitms');
    const search = page.getByRole('combobox', { name: 'Search' });
    for (const [words, title] of [
      ['quarntine', 'Lock file and quarantine'],
      ['upstream-timeout', 'Errors'],
      ['zed', 'Zed'],
    ]) {
      await search.fill(words!);
      await expect.poll(() => results.first().locator('b').innerText()).toBe(title);
    }
    await search.fill('xyzzyplugh');
    await page.getByText('Nothing found for “xyzzyplugh”.').waitFor();
    await page.keyboard.press('Escape');
    expect(await search.inputValue()).toBe('');
  });

  it('passes axe in both themes, and remembers the theme', async () => {
    const { page } = await open(onTestFinished);
    await page.goto(site.url);
    const dark = await background(page);
    await page.getByRole('button', { name: 'Light' }).click();
    const light = await background(page);
    expect(light).not.toBe(dark);
    for (const kind of KINDS) {
      await page.goto(site.url + kind);
      expect([kind, await background(page)]).toEqual([kind, light]);
      // Not added as a script of the page, because its policy forbids that.
      await page.evaluate(axe.source);
      // All pages have the same frame.
      const part = kind === KINDS[0] ? 'html' : 'main';
      expect([kind, 'light', await violations(page, part)]).toEqual([kind, 'light', []]);
      await page.getByRole('button', { name: 'Dark' }).click();
      expect([kind, 'dark', await violations(page, part)]).toEqual([kind, 'dark', []]);
      await page.getByRole('button', { name: 'Light' }).click();
    }
  });

  it('copies code', async () => {
    const { page } = await open(onTestFinished, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.goto(`${site.url}docs/write-a-server.html`);
    const block = page.locator('.code').first();
    await block.hover();
    await block.getByRole('button', { name: 'Copy' }).click();
    const code = await block.locator('pre').innerText();
    expect(code).toContain('npm install');
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(code);
  });

  it('fits a width of 375 pixels, with scripts and without', async () => {
    const viewport = { width: 375, height: 740 };
    const { page } = await open(onTestFinished, { viewport });
    for (const kind of [...KINDS, ...WIDE]) {
      await page.goto(site.url + kind);
      expect([kind, ...(await widths(page))]).toEqual([kind, 375, 375]);
    }
    const { page: plain } = await open(onTestFinished, { viewport, javaScriptEnabled: false });
    await plain.goto(`${site.url}docs/policy.html`);
    const menu = plain.getByRole('navigation', { name: 'Pages' });
    expect(await menu.count()).toBe(0);
    await plain.getByRole('button', { name: 'Menu' }).click();
    await menu.getByRole('link', { name: 'Records' }).click();
    await plain.getByRole('heading', { name: 'Records', level: 1 }).waitFor();
  });

  it('works from a disk', async () => {
    const { page } = await open(onTestFinished);
    await page.goto(pathToFileURL(join(site.folder, 'index.html')).href);
    await page.keyboard.press('/');
    await page.keyboard.type('journal');
    await page
      .getByRole('option', { name: /^The journal/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'The journal', level: 1 }).waitFor();
    expect(page.url()).toContain('file:///');
    expect(await page.evaluate<number>('document.fonts.size')).toBe(1);
  });
});
