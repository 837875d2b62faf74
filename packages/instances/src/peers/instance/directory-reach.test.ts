import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { isCut } from './directory-reach.js';

const AWAY = { directory: false };
const page = readFileSync(
  new URL('../../../../../docs/many-instances.md', import.meta.url),
  'utf8',
).replaceAll(/\s+/g, ' ');

describe('an instance without the directory', () => {
  it('is not alone if more than half of all instances answer that they lack it too', () => {
    expect(isCut([])).toBe(true);
    expect(isCut([AWAY])).toBe(true);
    expect(isCut([AWAY, undefined])).toBe(true);
    expect(isCut([AWAY, { directory: true }])).toBe(false);
  });

  it('may be the one that is cut off if the only other one does not answer, as the page says (L3)', () => {
    // That one may run, and may have taken the lease. So there is never a second holder.
    expect(isCut([undefined])).toBe(false);
    expect(isCut([undefined, undefined])).toBe(false);
    expect(page).toContain('only while more than half of all instances answer, itself included.');
    expect(page).toContain('If one of two is killed meanwhile, the other one stops these servers');
    expect(page).toContain('With three instances, two are enough.');
  });
});
