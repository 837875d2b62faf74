/** A page of the console that is signed in, and checks of it. */

import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

import type { GatewayProcess } from '../gateway-process.js';
import type { OpenPage } from './browser.js';
import { consoleLink } from './console-link.js';

export async function signIn(
  open: OpenPage,
  gateway: GatewayProcess,
  options: Parameters<OpenPage>[1] = {},
): Promise<{ page: Page }> {
  const { page } = await open(onTestFinished, options);
  await page.goto(await consoleLink(gateway));
  await page.getByText('live', { exact: true }).waitFor();
  return { page };
}

/**
 * What axe finds, as short texts, in the whole page or in a part of it. Expressions for the page are text: tests are not
 * checked against a browser.
 */
export async function violations(page: Page, part = 'html'): Promise<string[]> {
  const found = await page.evaluate<AxeResults['violations']>(
    `axe.run('${part}').then(({ violations }) => violations)`,
  );
  return found.map(({ id, nodes }) =>
    `${id}: ${nodes.map(({ html }) => html).join(' ')}`.slice(0, 400),
  );
}

/** How wide the page and its content are; no wider than the window if nothing is cut off. */
export function widths(page: Page): Promise<number[]> {
  return page.evaluate<number[]>(
    `[document.documentElement, document.querySelector('main')].map((each) => each.scrollWidth)`,
  );
}

/** The labels of filters that are cut off: text wider than its field. */
export async function cutLabels(page: Page): Promise<string[]> {
  const folded = page.getByRole('button', { name: 'Filters', expanded: false });
  if (await folded.isVisible()) await folded.click();
  return page.evaluate<string[]>(CUT_LABELS);
}

const CUT_LABELS = `[...document.querySelectorAll('.filters input, .filters select')].flatMap((field) => {
  const style = getComputedStyle(field);
  const pen = document.createElement('canvas').getContext('2d');
  pen.font = style.font;
  const text = field.placeholder ?? field.selectedOptions[0].text;
  const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return pen.measureText(text).width > room ? [text] : [];
})`;
