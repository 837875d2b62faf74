import { afterEach, describe, expect, it, vi } from 'vitest';

import { FILTER_WORDS, FilterError, filterFrom } from './filter-words.js';

const NOW = Date.parse('2026-11-15T12:00:00.000Z');

describe('filterFrom', () => {
  afterEach(() => vi.useRealTimers());

  it('reads every word', () => {
    const words = {
      since: '2026-11-15',
      until: '2026-11-15T09:30:00Z',
      server: 'a',
      tool: 'a:*',
      risk: 'read',
      severity: 'notice',
      outcome: 'ok',
      caller: 'ada',
      client: 'cursor',
      decision: 'dry-run',
      script: 'pX3hT0aZkQ2v',
      account: 'key:ann',
      text: 'some words',
    } as const;
    expect(filterFrom(words)).toEqual({
      ...words,
      since: new Date('2026-11-15T00:00:00.000Z'),
      until: new Date('2026-11-15T09:30:00.000Z'),
    });
    expect(Object.keys(words)).toEqual([...FILTER_WORDS]);
  });

  it('reads the last day of February', () => {
    expect(filterFrom({ since: '2024-02-29T10:00:00Z' })).toEqual({
      since: new Date('2024-02-29T10:00:00.000Z'),
    });
  });

  it('leaves out what is unset', () => {
    expect(Object.keys(filterFrom({ tool: 'a:*', text: undefined }))).toEqual(['tool']);
  });

  it.each([
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['2h', 7_200_000],
    ['7d', 604_800_000],
  ])('reads %s as so long before now', (text, ms) => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW });
    expect(filterFrom({ since: text, until: text })).toEqual({
      since: new Date(NOW - ms),
      until: new Date(NOW - ms),
    });
  });

  it.each([
    [{ risk: 'none' }, '--risk takes read, write, destructive, not "none".'],
    [{ severity: 'high' }, '--severity takes info, notice, warning, error, not "high".'],
    [{ decision: 'maybe' }, '--decision takes allow, confirm, dry-run, deny, not "maybe".'],
    [
      { since: '1764000000' },
      '--since takes a date such as 2026-11-15T09:30, or 30m, 2h, 7d, not "1764000000".',
    ],
    [{ since: '2026' }, '--since takes a date'],
    [{ until: 'yesterday' }, '--until takes a date'],
    [{ since: '2w' }, '--since takes a date'],
    [{ since: '2026-02-30' }, '--since takes a date'],
    [{ since: '2026-02-29T10:00:00Z' }, '--since takes a date'],
    [{ since: '2026/04/31' }, '--since takes a date'],
    [{ since: 'x2h' }, '--since takes a date'],
    [{ since: '2hours' }, '--since takes a date'],
    [{ since: '1000000d' }, '--since takes a date'],
  ])('refuses %j', (words, message) => {
    expect(() => filterFrom(words, '--')).toThrow(FilterError);
    expect(() => filterFrom(words, '--')).toThrow(message);
  });

  it('names words as they are, unless users write something before them', () => {
    expect(() => filterFrom({ risk: 'none' })).toThrow(/^risk takes read/);
  });
});
