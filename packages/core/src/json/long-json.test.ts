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

  it.each(['{"tools":[1,2}', '{"tools":[1 2]}', '{"tools":{}}', '[]', '{"tools":[1],}', ''])(
    'without such a list is refused: %s',
    (bad) => expect(all(listIn(bad, 'tools', 'x')).value).toBeUndefined(),
  );
});
