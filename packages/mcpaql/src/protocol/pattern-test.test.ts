import { describe, expect, it } from 'vitest';

import { matchesPattern } from './check-value.js';

describe('a pattern in an adapter', () => {
  it('is tested like a regular expression', () => {
    expect(matchesPattern('^[A-Z]{2}$', 'NO')).toBe(true);
    expect(matchesPattern('^[A-Z]{2}$', 'no')).toBe(false);
    expect(matchesPattern('(', 'x')).toBeUndefined();
  });

  it('that would take forever is stopped', () => {
    expect(matchesPattern('^(a+)+$', `${'a'.repeat(50)}!`)).toBeUndefined();
    expect(matchesPattern('a', 'a')).toBe(true);
  });
});
