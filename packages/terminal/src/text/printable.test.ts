import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { onOneLine, printable, printableJson } from './printable.js';

// oxlint-disable-next-line no-control-regex
const OBEYED = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

describe('untrusted text', () => {
  it('has control characters spelled out', () => {
    expect(printable('a\x1b[31mb\u009b\u202ec')).toBe('a\\u001b[31mb\\u009b\\u202ec');
    expect(printable('\u{e0041}')).toBe('\\u{e0041}');
    // V18: characters that are letters by their category, and cannot be seen.
    expect(printable('a\u3164\u115f\u200b\u2800b')).toBe('a\\u3164\\u115f\\u200b\\u2800b');
  });

  it('keeps lines, tabs and emoji', () => {
    expect(printable('a\r\n\tb 👩‍💻')).toBe('a\n\tb 👩‍💻');
    expect(onOneLine(' a\n\n b\t c ')).toBe('a b c');
  });

  it('is harmless for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(printable(text)).not.toMatch(OBEYED);
        const json = printableJson(JSON.stringify(text));
        expect(json).not.toMatch(OBEYED);
        expect(JSON.parse(json)).toBe(text);
      }),
    );
  });
});
