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

  it('keeps every key, even one that occurs twice, in the order of the text', () => {
    expect(indented('{"b":1,"1":2,"b":3}')).toBe('{\n  "b": 1,\n  "1": 2,\n  "b": 3\n}');
  });

  it('lays out a very long text', () => {
    const long = JSON.stringify({ a: 'x'.repeat(10_000_000), b: '"\\' });
    expect(indented(long)).toHaveLength(long.length + 9);
  });

  it('stays short if it is nested deeply', () => {
    const deep = `${'['.repeat(500)}${'1,'.repeat(1_000)}1${']'.repeat(500)}`;
    expect(indented(deep).length).toBeLessThan(100_000);
    expect(indented(deep).replaceAll(/\s/g, '')).toBe(deep);
  });

  it.each(['plain text', '{broken', '12', '"text"', '[1] and more', ''])(
    'leaves %j unchanged',
    (text) => {
      expect(indented(text)).toBe(text);
    },
  );
});
