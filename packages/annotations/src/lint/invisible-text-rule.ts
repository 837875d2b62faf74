/** The rule against characters that a model reads and a person cannot see. */

import { ownProperty } from '../property.js';
import type { Flaw, LintedTool, Rule } from './rule.js';

/** Emoji are built of such characters too: families are joined by one, England's flag spelled in tags. */
const EMOJI_PARTS: readonly RegExp[] = [
  /\u{1F3F4}[\u{E0061}-\u{E007A}]{5}\u{E007F}/gu,
  /(?<=[\p{Extended_Pictographic}\u{1F3FB}-\u{1F3FF}]\uFE0F?)\u200D(?=\p{Extended_Pictographic})/gu,
];

/** Scripts whose spelling needs joiners and direction marks. */
const NEEDS_MARKS: string = [
  'Arabic Hebrew Syriac Thaana Mongolian Devanagari Bengali Gurmukhi Gujarati',
  'Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar',
]
  .flatMap((line) => line.split(' '))
  .map((script) => `\\p{Script=${script}}`)
  .join('');

const HIDING: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  {
    what: 'zero-width characters',
    pattern: /[\u00AD\u115F\u1160\u180E\u200B\u2060-\u2064\u3164\uFEFF\uFFA0]/gu,
  },
  {
    what: 'joiners or direction marks',
    pattern: new RegExp(`(?<![${NEEDS_MARKS}])[\\u061C\\u200C-\\u200F](?![${NEEDS_MARKS}])`, 'gu'),
  },
  { what: 'bidirectional controls', pattern: /[\u202A-\u202E\u2066-\u2069]/gu },
  { what: 'tag characters', pattern: /[\u{E0000}-\u{E007F}]/gu },
  {
    what: 'variation selectors in a row',
    pattern: /(?<=[\uFE00-\uFE0F\u{E0100}-\u{E01EF}])[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/gu,
  },
  { what: 'control characters', pattern: /[^\P{Cc}\t\n\r]/gu },
];

export const textInvisible: Rule = {
  id: 'text-invisible',
  severity: 'error',
  summary: 'The title or description holds characters that cannot be seen.',
  why: 'The person approves one text while the model obeys another, or the terminal does.',
  who: 'all',
  check: (tools) => tools.flatMap(hiddenFlaws),
};

function hiddenFlaws(tool: LintedTool): Flaw[] {
  const texts: readonly (readonly [string, unknown])[] = [
    ['title', tool.title],
    ['annotations.title', ownProperty(tool.annotations, 'title')],
    ['description', tool.description],
  ];
  return texts.flatMap(([field, text]) =>
    typeof text === 'string' ? hiddenIn(text, field, tool.name) : [],
  );
}

function hiddenIn(text: string, field: string, tool: string): Flaw[] {
  const plain = EMOJI_PARTS.reduce((rest, part) => rest.replaceAll(part, ''), text);
  return HIDING.flatMap(({ what, pattern }) => {
    const found = plain.match(pattern);
    if (found === null) return [];
    const message = `Has ${what} in its ${field}: ${codePoints(found)}.`;
    return [{ tool, message, fix: `Remove them; if the ${field} was copied, type it anew.` }];
  });
}

function codePoints(characters: readonly string[]): string {
  const points = characters.map((character) => character.codePointAt(0) ?? 0);
  return [...new Set(points)]
    .toSorted((a, b) => a - b)
    .map((point) => `U+${point.toString(16).toUpperCase().padStart(4, '0')}`)
    .join(' ');
}
