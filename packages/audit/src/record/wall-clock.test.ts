import { afterEach, describe, expect, it, vi } from 'vitest';

import { WallClock } from '../modules/audit.js';

describe('the wall clock', () => {
  afterEach(() => vi.useRealTimers());

  it('gives the time of recent moments', () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'], now: 1_000_000 });
    const clock = new WallClock();
    for (const ago of [0, 5, 40]) {
      expect(clock.timeAt(performance.now() - ago)).toBe(1_000_000 - ago);
    }
  });

  it('is read again soon, since it may have been set', () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'], now: 1_000_000 });
    const clock = new WallClock();
    expect(clock.timeAt(performance.now())).toBe(1_000_000);
    vi.advanceTimersByTime(4);
    expect(clock.timeAt(performance.now())).toBe(1_000_004);
    vi.advanceTimersByTime(100);
    vi.setSystemTime(5_000_000);
    expect(clock.timeAt(performance.now())).toBe(5_000_000);
    expect(clock.timeAt(performance.now() - 30)).toBe(4_999_970);
  });
});
