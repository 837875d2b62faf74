import { describe, expect, it } from 'vitest';

import { memberOf, valueAt } from './member-of.js';

describe('memberOf', () => {
  it('reads own members of objects and lists', () => {
    expect(memberOf({ a: 1 }, 'a')).toBe(1);
    expect(memberOf(['x', 'y'], 1)).toBe('y');
  });

  it('reads nothing of a prototype, or of a value without members', () => {
    expect(memberOf({}, 'toString')).toBeUndefined();
    for (const value of [undefined, null, 'text', 1])
      expect(memberOf(value, 'length')).toBe(undefined);
  });
});

describe('valueAt', () => {
  it('follows a path', () => {
    expect(valueAt({ errors: [{ message: 'no' }] }, ['errors', 0, 'message'])).toBe('no');
  });

  it('takes an empty path as the whole value', () => {
    expect(valueAt('all', [])).toBe('all');
  });

  it('finds nothing where a part is missing', () => {
    expect(valueAt({ a: { b: 1 } }, ['a', 'c', 'd'])).toBeUndefined();
    expect(valueAt({ a: null }, ['a', 'b'])).toBeUndefined();
  });
});
