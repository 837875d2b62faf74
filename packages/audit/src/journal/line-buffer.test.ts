import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { LineBuffer } from './line-buffer.js';

const COMMA = 44;

describe('a buffer of lines', () => {
  it('holds what strings would hold', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom('é', '€uro', '🚀', 'x'.repeat(5_000), 'é'.repeat(5_000)),
      fc.integer(),
      fc.maxSafeInteger(),
      fc.constantFrom(0, 9, 10, 99, 100, 2_147_483_647, 2_147_483_648, -1, -2_147_483_648),
    );
    const line = fc.array(piece, { maxLength: 8 });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), (lines) => {
        const buffer = new LineBuffer();
        for (let round = 0; round < 2; round++) {
          for (const pieces of lines) {
            buffer.beginLine();
            for (const one of pieces) {
              if (typeof one === 'number') buffer.integer(COMMA, one);
              else buffer.text(one);
            }
          }
          const body = lines
            .map((pieces) =>
              pieces.map((one) => (typeof one === 'number' ? `,${one}` : one)).join(''),
            )
            .join('\n');
          expect(buffer.length).toBe(Buffer.byteLength(body));
          expect(buffer.take()).toEqual({ count: lines.length, body });
        }
      }),
    );
  });

  it('is empty at first, and after everything was taken', () => {
    const buffer = new LineBuffer();
    expect(buffer.take()).toEqual({ count: 0, body: '' });
  });
});
