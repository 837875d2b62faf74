import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { BEYOND_ASCII, CONTROL, TextBytes } from './text-bytes.js';

// oxlint-disable-next-line no-control-regex -- what is looked for
const CONTROLS = /[\u0000-\u001f]/;
// oxlint-disable-next-line no-control-regex -- all of ASCII
const OTHERS = /[^\u0000-\u007f]/u;

function expected(text: string): number {
  return (CONTROLS.test(text) ? CONTROL : 0) | (OTHERS.test(text) ? BEYOND_ASCII : 0);
}

describe('text as bytes', () => {
  it('knows its kinds of characters at any position in memory', () => {
    const letter = fc.oneof(
      fc.constantFrom('\u0000', '\u001f', ' ', '!', '\u007f', '\u0080', 'é', '€', '🚀', '\uffff'),
      fc.string({ unit: 'grapheme', maxLength: 1 }),
    );
    const letters = fc.array(letter, { maxLength: 40 }).map((some) => some.join(''));
    const filler = fc.constantFrom('', 'x'.repeat(61), 'x'.repeat(240), 'é'.repeat(300));
    const around = fc.constantFrom('', '\n', 'é\n\u0000', '\u0000'.repeat(7));
    fc.assert(
      fc.property(letters, filler, around, fc.nat(7), (some, more, other, offset) => {
        for (const given of [some + more, more + some]) {
          const all = Buffer.from(' '.repeat(offset) + other + given + other);
          // Node puts small ones anywhere in a larger piece of memory.
          const bytes = all.subarray(offset);
          const from = Buffer.byteLength(other);
          const to = bytes.length - from;
          const text = new TextBytes(bytes);
          const found = text.look(from, to);
          expect(found).toBe(expected(given));
          expect(text.decode(from, to, found)).toBe(given);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it('is looked at byte by byte', () => {
    for (let byte = 0; byte < 256; byte++) {
      const kind = byte < 32 ? CONTROL : byte < 128 ? 0 : BEYOND_ASCII;
      for (let place = 0; place < 602; place += 7) {
        const bytes = Buffer.alloc(602, 'x');
        bytes[place] = byte;
        if (new TextBytes(bytes).look(0, bytes.length) !== kind)
          expect([byte, place]).toBeUndefined();
      }
    }
  });

  it('may be empty', () => {
    const text = new TextBytes(Buffer.from('abc').subarray(1, 1));
    expect(text.look(0, 0)).toBe(0);
    expect(text.decode(0, 0, 0)).toBe('');
  });
});
