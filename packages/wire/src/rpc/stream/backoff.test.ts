import { describe, expect, it } from 'vitest';

import { DEFAULT_RESTART, restartDelay } from './backoff.js';

describe('the wait before a restart', () => {
  it('doubles up to a limit, with a random part of up to half', () => {
    const policy = { initialMs: 100, maxMs: 1_000, giveUpAfter: 9 };
    const failures = [1, 2, 3, 4, 5, 6, 100];
    expect(failures.map((each) => restartDelay(each, policy, () => 1))).toEqual([
      100, 200, 400, 800, 1_000, 1_000, 1_000,
    ]);
    expect(failures.map((each) => restartDelay(each, policy, () => 0))).toEqual([
      50, 100, 200, 400, 500, 500, 500,
    ]);
  });

  it('allows at most eight starts in a row', () => {
    expect(DEFAULT_RESTART.giveUpAfter).toBeLessThanOrEqual(8);
  });
});
