import { describe, expect, it } from 'vitest';

import { descriptionMissing } from './description-rule.js';

describe('description-missing', () => {
  it.each([undefined, null, '', ' \n', 7, {}])('reports a tool described as %j', (description) => {
    expect(descriptionMissing.check([{ name: 'a', description }])).toMatchObject([
      { tool: 'a', message: 'Has no description.' },
    ]);
  });

  it('accepts any text', () => {
    expect(descriptionMissing.check([{ name: 'a', description: 'Lists issues.' }])).toEqual([]);
  });
});
