import { describe, expect, it } from 'vitest';

import { endsIn, listIn, type Slices } from './long-json.js';
import { elementsOf, memberText } from './json-text.js';

/** Runs all slices, with another scan in between, and counts them. */
function all<T>(work: Slices<T>): { readonly value: T; readonly slices: number } {
  for (let slices = 1; ; slices++) {
    const step = work.next();
    if (step.done) return { value: step.value, slices };
    // Overwrites the state that scans share.
    elementsOf('[[[[[{"a":{"b":[1]}}]]]]]');
  }
}

const tools = Array.from({ length: 5_000 }, (_, n) => {
  return { name: `t_${n}`, schema: { deep: [[{ n }]] }, text: 'a "quoted" \\ text' };
});
const text = JSON.stringify({ first: 1, tools, nextCursor: 'c' });

describe('long JSON', () => {
  it('is read in slices, with the same result as at once', () => {
    const { value, slices } = all(listIn(text, 'tools', 'nextCursor'));
    expect(value?.elements).toEqual(elementsOf(memberText(text, 'tools')!));
    expect(value?.other).toBe('"c"');
    expect(slices).toBeGreaterThan(10);
  });

  it('gives the ends of values, two levels deep', () => {
    const { value } = all(endsIn(text));
    const start = text.indexOf('[');
    expect(text.slice(start, value.get(start))).toBe(memberText(text, 'tools'));
  });

  it('gives the ends of the values of its objects too', () => {
    const short = ' {"a":{"b":[1],"c":{"d":2}} ,"e":"x","f":{}}';
    const { value } = all(endsIn(short));
    const texts = [...value].map(([start, end]) => short.slice(start, end));
    expect(texts.toSorted()).toEqual(
      ['[1]', '{"d":2}', '{"b":[1],"c":{"d":2}}', '"x"', '{}'].toSorted(),
    );
  });

  it.each(['{"a":{"b":1]}', '{"a":{"b":}}', '[{"a":1}]', ''])(
    'has no ends after a fault: %s',
    (bad) => {
      const { value } = all(endsIn(bad));
      for (const [start, end] of value) if (end !== -1) JSON.parse(bad.slice(start, end));
      expect(value.get(bad.indexOf('{"b"')) ?? -1).toBe(-1);
    },
  );

  it('gives the elements of a list, and the other member before or after it', () => {
    expect(all(listIn('{"x":1,"list":[ 2.0 ,{"a":[]}]}', 'list', 'x')).value).toEqual({
      elements: ['2.0', '{"a":[]}'],
      other: '1',
    });
    expect(all(listIn('{"list":[],"y":0}', 'list', 'x')).value).toEqual({
      elements: [],
      other: undefined,
    });
  });

  it('pauses in lists of many short elements and inside of one long one', () => {
    const short = JSON.stringify({ list: Array.from({ length: 128 }, () => 1) });
    expect(all(listIn(short, 'list', 'x')).slices).toBe(3);
    const long = JSON.stringify({ list: [Array.from({ length: 40_000 }, () => 1)] });
    const { value, slices } = all(listIn(long, 'list', 'x'));
    expect(slices).toBe(3);
    expect(value?.elements).toEqual(elementsOf(memberText(long, 'list')!));
    expect(all(endsIn(long)).slices).toBe(3);
  });

  it.each(['{"tools":[1,2}', '{"tools":[1 2]}', '{"tools":{}}', '[]', '{"tools":[1],}', ''])(
    'without such a list is refused: %s',
    (bad) => expect(all(listIn(bad, 'tools', 'x')).value).toBeUndefined(),
  );
});
