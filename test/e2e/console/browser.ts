/**
 * A real browser for tests: Chromium of the system. Without it these tests are left out. With
 * `CALLSIGN_BROWSER=required` they fail instead.
 */

import { existsSync } from 'node:fs';

import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';

import { describeUnless } from '../../testing/left-out.js';
import type { Finally } from '../gateway-process.js';

const PLACES = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const EXECUTABLE = PLACES.find((path) => path !== undefined && existsSync(path));
const NO_BROWSER =
  EXECUTABLE !== undefined || process.env['CALLSIGN_BROWSER'] === 'required'
    ? undefined
    : 'there is no Chromium; to install it: apt-get install chromium';
/** A limit for a page that hangs. No test expects anything of it. */
const HANG_MS = 110_000;

interface OpenedPage {
  readonly page: Page;
  /** Everything that went wrong in the page: errors, warnings, and what its policy forbade. */
  readonly faults: readonly string[];
}

export type OpenPage = (later: Finally, options?: BrowserContextOptions) => Promise<OpenedPage>;

/** A suite in a browser. `open` returns a page in a separate context. */
export function describeInBrowser(title: string, suite: (open: OpenPage) => void): void {
  describeUnless(NO_BROWSER, title, () => {
    let browser: Browser;
    beforeAll(async () => {
      if (EXECUTABLE === undefined) throw new Error('Chromium is required, and there is none.');
      browser = await chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox'] });
    });
    afterAll(() => browser?.close());
    suite(async (later, options = {}) => {
      const context = await browser.newContext({
        viewport: { width: 1440, height: 900 },
        colorScheme: 'dark',
        ...options,
      });
      later(() => context.close());
      context.setDefaultTimeout(HANG_MS);
      const page = await context.newPage();
      const faults: string[] = [];
      // Chromium reports what a policy forbids as an error in the console.
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
      });
      page.on('pageerror', (error) => faults.push(error.message));
      later(() => expect(faults).toEqual([]));
      return { page, faults };
    });
  });
}

/** Goes to a screen, as a link within the page does. */
export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
}
