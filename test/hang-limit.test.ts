import { describe, expect, it } from 'vitest';

import { withoutHanging } from './hang-limit.js';

describe('withoutHanging', () => {
  it('returns what the work returns, and throws what it throws', () => {
    expect(withoutHanging(() => 42)).toBe(42);
    expect(() =>
      withoutHanging(() => {
        throw new Error('its own');
      }),
    ).toThrow('its own');
  });

  it.each([
    ['a loop', () => loop()],
    ['a regular expression', () => /^(a+)+$/.test(`${'a'.repeat(60)}!`)],
  ])('stops %s that does not end', (_, work) => {
    expect(() => withoutHanging<unknown>(work, 50)).toThrow('timed out');
  });
});

function loop(): never {
  for (;;);
}
