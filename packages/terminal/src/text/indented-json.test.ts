import { describe, expect, it } from 'vitest';

import { indented } from './indented-json.js';

describe('indented JSON', () => {
  it('is laid out as JSON.stringify does it', () => {
    const value = { a: [1, { b: 'x, {y}: "z"' }], empty: {}, none: [], n: null };
    expect(indented(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
    expect(indented(JSON.stringify(value, null, 7))).toBe(JSON.stringify(value, null, 2));
  });

  it('keeps numbers and escapes as they are', () => {
    expect(indented('{"n":12345678901234567890,"m":1.10,"e":"\\u0041"}')).toBe(
      '{\n  "n": 12345678901234567890,\n  "m": 1.10,\n  "e": "\\u0041"\n}',
    );
  });

  it.each(['plain text', '{broken', '12', '"text"', '[1] and more', ''])(
    'leaves %j unchanged',
    (text) => {
      expect(indented(text)).toBe(text);
    },
  );
});
