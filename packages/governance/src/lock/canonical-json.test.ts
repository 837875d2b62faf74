import { describe, expect, it } from 'vitest';

import { withoutHanging } from '../../../../test/hang-limit.js';
import { canonicalJson } from './canonical-json.js';

describe('canonical JSON', () => {
  it.each([
    ['{"b":1,"a":2}', '{"a":2,"b":1}'],
    [' { "b" : [ 1 , { "d":1, "c":2 } ] } ', '{"b":[1,{"c":2,"d":1}]}'],
    ['{"\\u0061":"\\u0041\\/"}', '{"a":"A/"}'],
    ['"x"', '"x"'],
    ['[]', '[]'],
    ['{}', '{}'],
    ['null', 'null'],
  ])('of %s is %s', (text, canonical) => {
    expect(canonicalJson(text)).toBe(canonical);
  });

  it.each([
    ['the order of a list', '[1,2]', '[2,1]'],
    ['a number past what a parser keeps', '{"n":9007199254740993}', '{"n":9007199254740992}'],
    ['a key that hides another', '{"a":"good","a":"bad"}', '{"a":"bad"}'],
    ['the order of duplicate keys', '{"a":1,"a":2}', '{"a":2,"a":1}'],
    ['a text and a number', '{"a":"1"}', '{"a":1}'],
    ['a key like a prototype', '{"__proto__":{"a":1}}', '{}'],
    ['where a text ends', '{"a":"b\\",\\"c"}', '{"a":"b","c":""}'],
  ])('tells apart %s', (_, one, other) => {
    expect(canonicalJson(one)).toBeDefined();
    expect(canonicalJson(one)).not.toBe(canonicalJson(other));
  });

  it('keeps the requested members of the outermost object', () => {
    const text = '{"name":"x","_meta":{"name":"y"},"annotations":{"other":1}}';
    expect(canonicalJson(text, (key) => key !== '_meta')).toBe(
      '{"annotations":{"other":1},"name":"x"}',
    );
  });

  it.each(['', '{', '{"a":}', '{"a":1} x', 'hello', `${'['.repeat(5_000)}${']'.repeat(5_000)}`])(
    'does not exist for invalid JSON, or for JSON that is nested too deeply: %.20s',
    (text) => {
      expect(canonicalJson(text)).toBeUndefined();
    },
  );

  it('of a large text takes time in proportion', () => {
    const members = Array.from({ length: 150_000 }, (_, i) => `"k${i * 7}":{"b":${i},"a":"x"}`);
    expect(withoutHanging(() => canonicalJson(`{${members.join(',')}}`))).toBeDefined();
  });
});
