import { describe, expect, it } from 'vitest';

import { askResult } from './result-thread.js';

const json = JSON.stringify({ a: Array.from({ length: 2_000 }, (_, i) => i) });
const most = 100;

describe('a question about the JSON of a result', () => {
  it('is ended if the expression takes too long, and the next one is answered', async () => {
    const all = `[${Array.from({ length: 200 }, () => '@').join(',')}]`;
    const expression = `a[].${all}[].${all}[].${all}[]`;
    const late = Array.from({ length: 3 }, () => askResult({ json, expression, most }, 1_000));
    for (const found of await Promise.all(late))
      expect(found).toEqual({ isJson: true, problem: 'it took longer than 1 s' });
    expect(await askResult({ json, expression: 'length(a)', most })).toEqual({
      isJson: true,
      text: '2000',
      length: 4,
    });
  });

  it.each([
    ['open brackets', '['.repeat(5_000)],
    ['an unknown function', 'nothing(a)'],
    ['half an expression', 'a |'],
  ])('says what is wrong with %s', async (_, expression) => {
    expect(await askResult({ json, expression, most })).toMatchObject({
      isJson: true,
      problem: expect.any(String) as string,
    });
  });

  it('says that a text is no JSON', async () => {
    expect(await askResult({ json: '{"a":', most })).toEqual({ isJson: false });
  });
});
