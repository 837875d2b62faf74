import { describe, expect, it } from 'vitest';

import { askResult } from './result-thread.js';

const json = JSON.stringify({ a: Array.from({ length: 2_000 }, (_, i) => i) });
const most = 100;
const [ADA, BOB, EVE] = ['ada', 'bob', 'eve'] as const;
const all = `[${Array.from({ length: 200 }, () => '@').join(',')}]`;
const ENDLESS = `a[].${all}[].${all}[].${all}[]`;

describe('a question about the JSON of a result', () => {
  it('is ended if the expression takes too long, and the next one is answered', async () => {
    const late = Array.from({ length: 3 }, () =>
      askResult(ADA, { json, expression: ENDLESS, most }, 1_000),
    );
    for (const found of await Promise.all(late))
      expect(found).toEqual({ isJson: true, problem: 'it took longer than 1 s' });
    expect(await askResult(ADA, { json, expression: 'length(a)', most })).toEqual({
      isJson: true,
      text: '2000',
      length: 4,
    });
  });

  it('of other callers is answered before the many of one caller', async () => {
    const answered: string[] = [];
    const ask = async (owner: string, expression: string) => {
      await askResult(owner, { json, expression, most }, 2_000);
      answered.push(owner);
    };
    const flood = [ADA, EVE].flatMap((owner) =>
      Array.from({ length: 3 }, () => ask(owner, ENDLESS)),
    );
    await Promise.all([...flood, ask(BOB, 'length(a)')]);
    expect(answered.indexOf(BOB)).toBeLessThanOrEqual(2);
    const many = Array.from({ length: 60 }, () =>
      askResult(ADA, { json, expression: 'length(a)', most }),
    );
    const refused = (await Promise.all(many)).filter((found) => 'problem' in found);
    expect(refused).toHaveLength(9);
    expect(refused[0]).toMatchObject({ problem: expect.stringContaining('too many') as string });
  });

  it.each([
    ['open brackets', '['.repeat(5_000)],
    ['an unknown function', 'nothing(a)'],
    ['half an expression', 'a |'],
  ])('says what is wrong with %s', async (_, expression) => {
    expect(await askResult(ADA, { json, expression, most })).toMatchObject({
      isJson: true,
      problem: expect.any(String) as string,
    });
  });

  it('says that a text is no JSON', async () => {
    expect(await askResult(ADA, { json: '{"a":', most })).toEqual({ isJson: false });
  });
});
