import { describe, expect, it } from 'vitest';

import { FilterError, filterFrom } from './filter-words.js';

describe('filterFrom', () => {
  it('reads every word, and leaves out what is unset', () => {
    expect(filterFrom({ since: '2026-11-15', risk: 'read', tool: 'a:*', text: undefined })).toEqual(
      {
        since: new Date('2026-11-15'),
        risk: 'read',
        tool: 'a:*',
      },
    );
  });

  it('reads a time as a duration before now', () => {
    const { since } = filterFrom({ since: '2h' });
    expect(Math.abs(Date.now() - 7_200_000 - since!.getTime())).toBeLessThan(5_000);
  });

  it.each([
    [{ risk: 'none' }, '--risk takes read, write, destructive, not "none".'],
    [{ since: '1764000000' }, '--since takes a date'],
    [{ decision: 'maybe' }, '--decision takes allow'],
  ])('refuses %j', (words, message) => {
    expect(() => filterFrom(words, '--')).toThrow(FilterError);
    expect(() => filterFrom(words, '--')).toThrow(message);
  });
});
