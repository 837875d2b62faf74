import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { IsoTime } from './iso-time.js';

describe('times as text', () => {
  it('are equal to those of Date, for moments in any order', () => {
    const times = new IsoTime();
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4e12 }),
        fc.integer({ min: 0, max: 3_000 }),
        (at, more) => {
          for (const time of [at, at + more, at, at + 0.9]) {
            expect(times.text(time)).toBe(new Date(Math.trunc(time)).toISOString());
          }
        },
      ),
    );
  });
});
