import { describe, expect, it } from 'vitest';

import { textInvisible } from './invisible-text-rule.js';

function messages(description: string): string[] {
  return textInvisible.check([{ name: 'tool', description }]).map(({ message }) => message);
}

const inTags = (text: string) =>
  [...text].map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join('');

describe('text-invisible', () => {
  it.each([
    ['a zero-width space', 'del\u200Bete', 'zero-width characters in its description: U+200B'],
    ['a byte order mark inside', 'a\uFEFFb', 'zero-width characters in its description: U+FEFF'],
    ['a joiner in Latin', 'ig\u200Dnore', 'joiners or direction marks in its description: U+200D'],
    ['an override', 'a\u202Etxt.exe', 'bidirectional controls in its description: U+202E'],
    ['hidden tags', `Adds.${inTags('AA')}`, 'tag characters in its description: U+E0041'],
    [
      'bytes in variation selectors',
      'Adds.\uFE01\uFE02\u{E0101}',
      'variation selectors in a row in its description: U+FE02 U+E0101',
    ],
    ['a terminal escape', '\u001B[8mhidden', 'control characters in its description: U+001B'],
    ['a NUL', 'a\u0000b', 'control characters in its description: U+0000'],
  ])('reports %s', (_, description, message) => {
    expect(messages(description)).toEqual([`Has ${message}.`]);
  });

  it('looks into both titles as well', () => {
    const tool = { name: 'tool', title: 'a\u200B', annotations: { title: 'b\u202E' } };
    expect(textInvisible.check([tool]).map(({ message }) => message)).toEqual([
      'Has zero-width characters in its title: U+200B.',
      'Has bidirectional controls in its annotations.title: U+202E.',
    ]);
  });

  it('names each character once, in order', () => {
    expect(messages('\u2060a\u200Bb\u2060')).toEqual([
      'Has zero-width characters in its description: U+200B U+2060.',
    ]);
  });

  it.each([
    ['a family', '👩‍👩‍👧‍👦'],
    ['a heart with its selector', '❤️ and ✈️'],
    ['a couple of both', '👩‍❤️‍👨'],
    ['a skin tone at work', '👩🏽‍💻'],
    ['a rainbow flag', '🏳️‍🌈'],
    ['the flag of England', '\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}'],
    ['a keycap', '1️⃣'],
    ['Persian with its non-joiner', 'می\u200Cخواهم'],
    ['Devanagari with its joiner', 'क्\u200Dष'],
    ['Hebrew with a mark', 'שלום\u200F!'],
    ['lines and tabs', 'one\r\n\ttwo'],
    ['accents and dashes', 'Café — naïve “quotes”'],
  ])('accepts %s', (_, description) => {
    expect(messages(description)).toEqual([]);
  });

  it('is not fooled by a flag with more tags than a flag has', () => {
    expect(messages(`\u{1F3F4}${inTags('readthekeys')}\u{E007F}`)).toHaveLength(1);
  });
});
