import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { JsonScan, NO_MORE, NOWHERE } from './json-scan.js';

const endOf = (text: string) => new JsonScan(text).skipValue(0);
const accepts = (text: string) => endOf(text) === text.length;

describe('scanning a value', () => {
  it.each([
    ['{"a":[1,{"b":"x"}],"c":null} rest', 28],
    ['"a\\"b" rest', 6],
    ['"\\\\" rest', 4],
    ['-1.5e+3,', 7],
    ['[],', 2],
    ['{ } ', 3],
    ['truex', 4],
  ])('ends where the value ends in %j', (text, end) => {
    expect(endOf(text)).toBe(end);
  });

  it.each([
    '',
    ' ',
    '{',
    '{"a"}',
    '{"a":}',
    '{a:1}',
    "{'a':1}",
    '[1,]',
    '{"a":1,}',
    '[1 2]',
    '"a',
    '"\\x"',
  ])('refuses %j', (text) => {
    expect(endOf(text)).toBe(NOWHERE);
  });

  it.each([
    '"a\nb"',
    '"\u0000"',
    '"\\u12g4"',
    '-',
    '.5',
    '01x"',
    '+1',
    'NaN',
    'undefined',
    'tru',
    '[}',
    '{]',
  ])('does not accept all of %j', (text) => {
    expect(accepts(text)).toBe(false);
  });

  it('refuses control characters inside strings', () => {
    expect(endOf('[\n"a\tb"]')).toBe(NOWHERE);
    expect(endOf('[\n"ab"]')).toBe(7);
  });

  it('accepts 512 levels and no more', () => {
    const nested = (depth: number): string => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
    expect(accepts(nested(512))).toBe(true);
    expect(endOf(nested(513))).toBe(NOWHERE);
  });

  it('refuses nesting without end', () => {
    expect(accepts('['.repeat(500) + ']'.repeat(500))).toBe(true);
    expect(endOf('['.repeat(100_000) + ']'.repeat(100_000))).toBe(NOWHERE);
  });

  it('accepts every document that JSON.parse accepts, however it is spaced', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, '\t', '\r\n '), (value, space) => {
        expect(accepts(JSON.stringify(value, undefined, space))).toBe(true);
      }),
    );
  });

  it('agrees with JSON.parse on documents with one character changed', () => {
    const parses = (text: string) => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    const character = fc.constantFrom(...'{}[]",:\\/untrfe0123456789.-+ \n\u0001é');
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 3 }),
        fc.nat(),
        character,
        fc.boolean(),
        (value, at, c, insert) => {
          const text = JSON.stringify(value, undefined, at % 3);
          const place = at % (text.length + 1);
          const changed = text.slice(0, place) + c + text.slice(place + (insert ? 0 : 1));
          const scan = new JsonScan(changed);
          const end = scan.skipValue(scan.skipSpace(0));
          expect(end !== NOWHERE && scan.skipSpace(end) === changed.length).toBe(parses(changed));
        },
      ),
      { numRuns: 20_000 },
    );
  });
});

it('does not scan values again whose ends are known', () => {
  const ends = new Map([[1, 4]]);
  expect(new JsonScan('[?!?,1]', ends).skipValue(1)).toBe(4);
  expect(new JsonScan('[?!?,1]', ends).skipValue(5)).toBe(6);
  expect(new JsonScan('[?!?,1]').skipValue(1)).toBe(NOWHERE);
});

it('refuses control characters in strings', () => {
  expect(new JsonScan('"a\tb"').skipValue(0)).toBe(NOWHERE);
});

describe('a long value', () => {
  /** All slices of a scan, each with another scan between. */
  const slicesOf = (text: string) => {
    const work = new JsonScan(text).skipLongValue(0);
    for (let slices = 1; ; slices++) {
      const step = work.next();
      if (step.done) return { end: step.value, slices };
      // Overwrites the state that scans share.
      endOf('{"a":[{"b":[[1]]}]}');
    }
  };

  it('is scanned in slices, with the same result as at once', () => {
    const list = JSON.stringify(Array.from({ length: 20_000 }, (_, n) => ({ n: [n, {}] })));
    expect(slicesOf(list)).toEqual({ end: list.length, slices: Math.ceil(list.length / 32_768) });
    expect(slicesOf(`${list.slice(0, -1)}}`).end).toBe(NOWHERE);
    const object = JSON.stringify({ a: { b: list.split(',') } });
    expect(slicesOf(object).end).toBe(object.length);
    expect(slicesOf(`${object.slice(0, -2)}]}`).end).toBe(NOWHERE);
  });

  it('that is short is scanned at once', () => {
    expect(slicesOf('{"a":1} ')).toEqual({ end: 7, slices: 1 });
  });
});

describe('visiting', () => {
  it('reads keys as other parsers do', () => {
    const text = '{"n\\u0061me" : 1 , "\\"" :{"x":2}, "plain":[ 3 ]}';
    const seen: [string, string][] = [];
    const scan = new JsonScan(text);
    const end = scan.visitObject(0, (key, start) => {
      const valueEnd = scan.skipValue(start);
      seen.push([key, text.slice(start, valueEnd)]);
      return valueEnd;
    });
    expect(end).toBe(text.length);
    expect(seen).toEqual([
      ['name', '1'],
      ['"', '{"x":2}'],
      ['plain', '[ 3 ]'],
    ]);
  });

  it('reads nested objects in one scan', () => {
    const text = '{"a":{"b\\n":"c\\""},"d":"\\\\"}';
    const keys: string[] = [];
    const scan = new JsonScan(text);
    const visit = (key: string, start: number): number => {
      keys.push(key);
      return key === 'a' ? scan.visitObject(start, visit) : scan.skipValue(start);
    };
    expect(scan.visitObject(0, visit)).toBe(text.length);
    expect(keys).toEqual(['a', 'b\n', 'd']);
  });

  it.each([
    '[]',
    '"a"',
    '{"a":x}',
    '{"a":1',
    '{"a":1,}',
    '{"a" 1}',
    '{"a":1 "b":2}',
    '{"a":1;"b":2}',
    '{a:1}',
  ])('finds no object in %s', (text) => {
    const scan = new JsonScan(text);
    expect(scan.visitObject(0, (_, start) => scan.skipValue(start))).toBe(NOWHERE);
  });

  it.each(['{}', '"a"', '[x]', '[1', '[1,]', '[1 2]', '[1;2]', '[1,x]'])(
    'finds no array in %s',
    (text) => {
      const scan = new JsonScan(text);
      expect(scan.visitArray(0, (start) => scan.skipValue(start))).toBe(NOWHERE);
    },
  );

  it('steps from member to member, and reports the end', () => {
    expect(new JsonScan('[]').firstMember(0)).toBe(NOWHERE);
    expect(new JsonScan('{}').firstMember(0)).toBe(NO_MORE);
    const scan = new JsonScan('{"a":1,"b":2}');
    expect(scan.firstMember(0)).toBe(5);
    expect(scan.nextMember(6)).toBe(11);
    expect(scan.nextMember(12)).toBe(NO_MORE);
    expect(scan.nextMember(NOWHERE)).toBe(NOWHERE);
    expect(scan.nextElement(NOWHERE)).toBe(NOWHERE);
    expect(new JsonScan('{"a":1;').nextMember(6)).toBe(NOWHERE);
  });

  it('finds the end of an object, even of an empty one', () => {
    for (const text of ['{} ', '{ } ', '{"a":1 } ']) {
      const scan = new JsonScan(text);
      const end = scan.visitObject(0, (_, start) => scan.skipValue(start));
      expect([end, scan.objectEnd]).toEqual([text.length - 1, text.length - 1]);
    }
  });

  it('lists the elements of an array', () => {
    const text = '[1, "two" ,{"three":[]} ]';
    const seen: string[] = [];
    const scan = new JsonScan(text);
    const end = scan.visitArray(0, (start) => {
      const valueEnd = scan.skipValue(start);
      seen.push(text.slice(start, valueEnd));
      return valueEnd;
    });
    expect(end).toBe(text.length);
    expect(seen).toEqual(['1', '"two"', '{"three":[]}']);
  });
});
