import { expect, it } from 'vitest';

import { SYSTEM_CLOCK } from './system-clock.js';

it('waits for a time that is too long for a timer, and does not run at once', async () => {
  let hasRun = false;
  // A server may ask for such a pause with `Retry-After`.
  const cancel = SYSTEM_CLOCK.after(99_999_999_999_000, () => (hasRun = true));
  await new Promise((resolve) => setTimeout(resolve, 50));
  cancel();
  expect(hasRun).toBe(false);
});
