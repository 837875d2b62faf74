import { describe, expect, it } from 'vitest';

import { shownDuration, shownTime } from './shown-time.js';

describe('a time', () => {
  it('N21: is local on a terminal and UTC elsewhere', () => {
    const iso = '2026-11-15T22:40:01.123Z';
    expect(shownTime(iso, false)).toBe('2026-11-15T22:40:01Z');
    const local = shownTime(iso, true);
    expect(local).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    // Read as local time, it is the same moment to the second.
    expect(new Date(local).getTime()).toBe(Date.parse('2026-11-15T22:40:01Z'));
    expect(shownTime('soon', true)).toBe('soon');
  });

  it.each([
    [0, '0 s'],
    [59_400, '59 s'],
    [110_000, '1 min 50 s'],
    [2 * 3_600_000 + 5 * 60_000, '2 h 5 min'],
    [26 * 3_600_000, '1 d 2 h'],
  ])('of %d ms lasts %s', (ms, text) => {
    expect(shownDuration(ms)).toBe(text);
  });
});
