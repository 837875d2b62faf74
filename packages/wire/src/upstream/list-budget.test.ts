import { expect, it } from 'vitest';

import { LIST_LIMITS, ListBudget } from './list-budget.js';

it('gives the time that is left in whole milliseconds, for messages that name it', () => {
  const { msLeft } = new ListBudget(LIST_LIMITS, 30_000);
  expect(Number.isInteger(msLeft)).toBe(true);
});
