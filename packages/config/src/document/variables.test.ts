import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { expandVariables, literalText } from './variables.js';

const ENV = { WORD: 'value', A: 'a' };

describe('literal text', () => {
  it.each([
    ['pa$Word1', 'pa$Word1'],
    ['pa$WORD', 'pa$$WORD'],
    ['$$WORD', '$$$WORD'],
    ['${A}', '$${A}'],
    ['${A', '$${A'],
    ['US$5 and $lower', 'US$5 and $lower'],
  ])('of %s is %s', (text, escaped) => {
    expect(literalText(text)).toBe(escaped);
  });

  it('is read as the text that it stands for', () => {
    const pieces = fc.constantFrom('$', '{', '}', 'A', 'WORD', 'w', '_', ':-', 'env:', '1', ' ');
    const texts = fc.oneof(
      fc.array(pieces, { maxLength: 12 }).map((each) => each.join('')),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(expandVariables(literalText(text), ENV)).toEqual({ text, faults: [] });
      }),
      { numRuns: 5_000 },
    );
  });
});
