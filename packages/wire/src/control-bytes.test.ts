import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { hasControlBytes } from './control-bytes.js';

// oxlint-disable-next-line no-control-regex -- what is looked for
const CONTROL = /[\u0000-\u001f]/;

describe('control characters among bytes', () => {
  it('are found wherever the text begins in memory, and nothing else is taken for one', () => {
    const letter = fc.oneof(
      fc.constantFrom('\u0000', '\u001f', ' ', '!', '\u007f', '\u0080', 'é', '€', '🚀', '\uffff'),
      fc.string({ unit: 'grapheme', maxLength: 1 }),
    );
    const text = fc.array(letter, { maxLength: 40 }).map((letters) => letters.join(''));
    const filler = fc.constantFrom('', 'x'.repeat(240), 'é'.repeat(300));
    fc.assert(
      fc.property(text, filler, fc.nat(7), (letters, more, offset) => {
        for (const given of [letters + more, more + letters]) {
          const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(given)]);
          expect(hasControlBytes(bytes, offset, bytes.length)).toBe(CONTROL.test(given));
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it('is asked of every byte by itself', () => {
    for (let byte = 0; byte < 256; byte++) {
      for (let place = 0; place < 600; place += 7) {
        const bytes = Buffer.alloc(602, 'x');
        bytes[place] = byte;
        if (hasControlBytes(bytes, 0, bytes.length) !== byte < 32)
          expect([byte, place]).toBeUndefined();
      }
    }
  });
});
