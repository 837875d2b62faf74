import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  elementsOf,
  hasOnce,
  memberText,
  membersOf,
  withMembers,
  withoutMembers,
} from './json-text.js';

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

describe('a key that decides where a request goes', () => {
  it.each([
    ['{"taskId":"a"}', true],
    ['{"n":{"taskId":1},"taskId":"a"}', true],
    ['{"taskId":"a","taskId":"b"}', false],
    ['{"taskId":"a","taskID":"b"}', false],
    ['{"taskId":"a","tas\\u006bId":"b"}', false],
    ['{"taskId":"a","tas\u212aId":"b"}', false],
    ['{"TASKID":"a"}', false],
    ['{}', false],
    ['[]', false],
  ])('in %s is there once, and nothing looks like it: %s', (text, isOnce) => {
    expect(hasOnce(text, 'taskId')).toBe(isOnce);
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

  it('can use members that are known already', () => {
    const text = '{"a":1,"b":2}';
    const members = membersOf(text)!;
    members.delete('b');
    expect(withMembers(text, { b: '3' }, members)).toBe('{"a":1,"b":2,"b":3}');
    expect(() => withMembers('[]', { a: '1' })).toThrow(TypeError);
  });

  it('replaces several in the order of the text', () => {
    expect(withMembers('{"a":1,"b":2,"c":3}', { c: '33', a: '11' })).toBe('{"a":11,"b":2,"c":33}');
    expect(withMembers('{"a":{"b":"}"}, "c" : 1 }', { d: '2', e: '3' })).toBe(
      '{"a":{"b":"}"}, "c" : 1 ,"d":2,"e":3}',
    );
  });

  it.each([
    ['{"a":1, "b" : 2.0 ,"c":3}', ['a'], '{"b":2.0,"c":3}'],
    ['{"a":1,"b":2}', ['a', 'b', 'x'], '{}'],
    ['{ "a":1 }', ['x'], '{ "a":1 }'],
    ['{"\\"":1,"b":2}', ['b'], '{"\\"":1}'],
    ['[1]', ['a'], '[1]'],
  ])('removes: %s without %j', (text, keys, expected) => {
    expect(withoutMembers(text, keys)).toBe(expected);
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
    expect(elementsOf('[1] 2')).toBeUndefined();
    expect(elementsOf('')).toBeUndefined();
    expect(elementsOf('[]')).toEqual([]);
  });
});
