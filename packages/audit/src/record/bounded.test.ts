import { expect, it } from 'vitest';

import { bounded } from './bounded.js';

it('a text of 512 characters is kept, and a longer one is cut off with a mark', () => {
  const longest = 'x'.repeat(512);
  expect(bounded(longest)).toBe(longest);
  expect(bounded(`${longest}y`)).toBe(`${longest}…`);
});
