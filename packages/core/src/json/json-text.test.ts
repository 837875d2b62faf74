import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { elementsOf, memberText, membersOf, withMembers } from './json-text.js';

describe('members', () => {
  it('keep details that a parser would lose', () => {
    const text = '{"z":12345678901234567890,"a": 1.0 ,"m":{}}';
    expect(memberText(text, 'z')).toBe('12345678901234567890');
    expect(memberText(text, 'a')).toBe('1.0');
    expect(memberText(text, 'missing')).toBeUndefined();
  });

  it.each(['', '[]', '{', '{}x', 'null', '{"a":1}{"b":2}'])('are none in %j', (text) => {
    expect(membersOf(text)).toBeUndefined();
  });

  it('with a duplicate key use the last one, as parsers do', () => {
    expect(memberText('{"a":1,"a":2}', 'a')).toBe('2');
  });
});

describe('changing members', () => {
  it('replaces in place and adds at the end', () => {
    const text = '{ "name" : "x" , "n":12345678901234567890 }';
    expect(withMembers(text, { title: '"T"', name: '"y"' })).toBe(
      '{ "name" : "y" , "n":12345678901234567890 ,"title":"T"}',
    );
    expect(withMembers('{}', { a: '1' })).toBe('{"a":1}');
  });

  it('is the same as assigning, for any object', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(object, object, fc.constantFrom(0, 2), (before, changes, space) => {
        const texts = Object.fromEntries(
          Object.entries(changes).map(([k, v]) => [k, JSON.stringify(v)]),
        );
        const changed = withMembers(JSON.stringify(before, undefined, space), texts);
        expect(JSON.parse(changed)).toEqual(JSON.parse(JSON.stringify({ ...before, ...changes })));
      }),
    );
  });
});

describe('elements', () => {
  it('are the texts of an array', () => {
    expect(elementsOf(' [ 1.0 , {"a":2},[] ] ')).toEqual(['1.0', '{"a":2}', '[]']);
    expect(elementsOf('{}')).toBeUndefined();
    expect(elementsOf('[1,]')).toBeUndefined();
  });
});
