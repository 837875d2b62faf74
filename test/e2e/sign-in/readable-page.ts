/** Checks of our pages without scripts: at both widths and in both themes. */

import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const PICTURES = process.env['CALLSIGN_PICTURES'];

interface Problem {
  readonly id: string;
}

/** Everyone can read the page, and it fits. */
export async function expectReadable(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [375, 1440]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      const fits = 'document.documentElement.scrollWidth <= innerWidth';
      expect(await page.evaluate(fits), `${name} ${width}`).toBe(true);
      // The page allows no scripts. This one comes from outside of it.
      await page.evaluate(axe.source);
      const problems = (await page.evaluate(
        'axe.run().then(({ violations }) => violations)',
      )) as Problem[];
      expect(problems.map(({ id }) => id)).toEqual([]);
      if (PICTURES !== undefined)
        await page.screenshot({
          path: `${PICTURES}/${name}-${colorScheme}-${width}.png`,
          fullPage: true,
        });
    }
  }
}
