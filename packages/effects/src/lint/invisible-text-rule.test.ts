import { describe, expect, it } from 'vitest';

import { withoutHanging } from '../../../../test/hang-limit.js';
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
      'stray variation selectors in its description: U+FE01 U+FE02 U+E0101',
    ],
    [
      'a bit in a selector at each letter',
      'A\uFE00d\uFE0Fd\uFE0Es',
      'stray variation selectors in its description: U+FE00 U+FE0E U+FE0F',
    ],
    [
      'a selector too many at an emoji, a digit and a Han letter',
      '❤\uFE0F\uFE0F 1\uFE0F 漢\u{E0100}\u{E0101}',
      'stray variation selectors in its description: U+FE0F U+E0101',
    ],
    [
      'a Mongolian selector in Latin',
      'a\u180Bb',
      'stray variation selectors in its description: U+180B',
    ],
    ['a grapheme joiner', 'a\u034Fb', 'joiners or direction marks in its description: U+034F'],
    ['a reserved code', 'a\u2065b', 'zero-width characters in its description: U+2065'],
    [
      'deprecated controls',
      'a\u206Ab\u206Fc',
      'zero-width characters in its description: U+206A U+206F',
    ],
    [
      'annotation marks',
      'a\uFFF9b\uFFFAc\uFFFB',
      'zero-width characters in its description: U+FFF9 U+FFFA U+FFFB',
    ],
    ['a silent vowel', 'a\u17B4b', 'zero-width characters in its description: U+17B4'],
    ['musical controls', 'a\u{1D173}b', 'zero-width characters in its description: U+1D173'],
    ['a blank of Braille', 'a\u2800b', 'zero-width characters in its description: U+2800'],
    [
      'codes beyond the selectors',
      'a\u{E01F0}b',
      'zero-width characters in its description: U+E01F0',
    ],
    ['a line separator', 'a\u2028b', 'odd line breaks in its description: U+2028'],
    ['a lone return', 'Deletes all.\rLists.', 'odd line breaks in its description: U+000D'],
    ['a terminal escape', '\u001B[8mhidden', 'control characters in its description: U+001B'],
    ['a NUL', 'a\u0000b', 'control characters in its description: U+0000'],
  ])('reports %s', (_, description, message) => {
    expect(messages(description)).toEqual([`Has ${message}.`]);
  });

  it('reads both titles too', () => {
    const tool = { name: 'tool', title: 'a\u200B', annotations: { title: 'b\u202E' } };
    expect(textInvisible.check([tool]).map(({ message }) => message)).toEqual([
      'Has zero-width characters in its title: U+200B.',
      'Has bidirectional controls in its annotations.title: U+202E.',
    ]);
  });

  it('reads schemas, and shows the path in visible characters', () => {
    const tool = {
      name: 'tool',
      inputSchema: { properties: { 'p\u200B': { enum: ['x', 'y\u200B'] } } },
      outputSchema: { examples: [{ note: 'z\u202E' }] },
    };
    expect(textInvisible.check([tool]).map(({ message }) => message)).toEqual([
      'Has zero-width characters in its inputSchema.properties key: U+200B.',
      'Has zero-width characters in its inputSchema.properties["p\\u{200b}"].enum[1]: U+200B.',
      'Has bidirectional controls in its outputSchema.examples[0].note: U+202E.',
    ]);
  });

  it.each(['\u200B', '\u2800', '❤\uFE0F', '👩\u200D', '漢\u{E0100}', '1\uFE0F', '\r', '\u034F'])(
    'does not hang on a long text of %j',
    (part) => {
      const description = part.repeat(200_000 / new TextEncoder().encode(part).length);
      withoutHanging(() => textInvisible.check([{ name: 'tool', description }]));
    },
  );

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
    ['a sign as text', '™\uFE0E'],
    ['Han with a variant', '葛\u{E0100}飾'],
    ['Mongolian with a variant', 'ᠠ\u180Bᠨ'],
    ['Braille with a blank', '⠓⠊\u2800⠁⠇⠇'],
    ['lines and tabs', 'one\r\n\ttwo'],
    ['accents and dashes', 'Café — naïve “quotes”'],
  ])('accepts %s', (_, description) => {
    expect(messages(description)).toEqual([]);
  });

  it('reports an unknown flag, and a flag with too many tags', () => {
    expect(messages(`\u{1F3F4}${inTags('steal')}\u{E007F}`)).toHaveLength(1);
    expect(messages(`\u{1F3F4}${inTags('readthekeys')}\u{E007F}`)).toHaveLength(1);
  });
});
