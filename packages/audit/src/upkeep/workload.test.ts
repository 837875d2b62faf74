import { expect, it } from 'vitest';

import { Workload } from './workload.js';

it.each([
  ['a process that rests on a machine that rests', 100, 0, false],
  ['a process that makes calls', 9_000, 0, true],
  ['a machine with more work than cores', 0, 1_000, true],
])('%s', (_case, usedMs, load, isBusy) => {
  let reading = { nowMs: 90_000, usedMs: 5_000, load: 0 };
  const workload = new Workload(() => reading);
  reading = { nowMs: 120_000, usedMs: 5_000 + usedMs, load };
  expect(workload.isBusy()).toBe(isBusy);
});
