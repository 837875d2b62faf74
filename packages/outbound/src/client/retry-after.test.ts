import { describe, expect, it } from 'vitest';

import { readRetryAfter } from './retry-after.js';

describe('Retry-After', () => {
  const now = Date.UTC(2026, 5, 1);

  it.each([
    ['0', 0],
    ['7', 7_000],
    [' 7 ', 7_000],
    ['Mon, 01 Jun 2026 00:00:09 GMT', 9_000],
    ['Sun, 31 May 2026 00:00:00 GMT', 0],
  ])('is read from %j', (header, expected) => {
    expect(readRetryAfter(header, now)).toBe(expected);
  });

  it.each([undefined, '', '-1', '1.5', 'soon', '2026-06-01', '9'.repeat(400), 'x GMT'])(
    'is ignored in %j',
    (header) => {
      expect(readRetryAfter(header, now)).toBeUndefined();
    },
  );
});
