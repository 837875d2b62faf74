/** The rule against characters that a model reads and a person cannot see. */

import type { Flaw } from '@callsign/naming';

import type { AnnotationRule, LintedTool } from './rule.js';
import { textsOf, type ToolText } from './tool-texts.js';

/** Visible characters that are written with invisible ones. They are removed before the search. */
const VISIBLE: readonly RegExp[] = [
  // The flags of England, Scotland and Wales, spelled in tags.
  /\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}/gu,
  // Joined emoji, such as families.
  /(?<=[\p{Extended_Pictographic}\u{1F3FB}-\u{1F3FF}]\uFE0F?)\u200D(?=\p{Extended_Pictographic})/gu,
  // Emoji or text, keycaps, and variants of Han and Mongolian letters.
  /(?<=\p{Extended_Pictographic})[\uFE0E\uFE0F]/gu,
  /(?<=[0-9#*])\uFE0F(?=\u20E3)/gu,
  /(?<=\p{Script=Han})[\uFE00-\uFE02\u{E0100}-\u{E01EF}]/gu,
  /(?<=\p{Script=Mongolian})[\u180B-\u180F]/gu,
  // A blank Braille cell between others.
  /(?<=[\u2801-\u28FF])\u2800|\u2800(?=[\u2801-\u28FF])/gu,
];

/** Scripts that are written with joiners and direction marks. */
const NEEDS_MARKS: string = [
  'Arabic Hebrew Syriac Thaana Mongolian Devanagari Bengali Gurmukhi Gujarati',
  'Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar',
]
  .flatMap((line) => line.split(' '))
  .map((script) => `\\p{Script=${script}}`)
  .join('');

const MARKS = String.raw`\u034F\u061C\u200C-\u200F`;
const BIDI = String.raw`\u202A-\u202E\u2066-\u2069`;
const TAGS = String.raw`\u{E0000}-\u{E007F}`;
const SELECTORS = String.raw`\u180B-\u180D\u180F\uFE00-\uFE0F\u{E0100}-\u{E01EF}`;
/** Characters without width, blank characters, and annotation marks that fonts do not draw. */
const INVISIBLE = String.raw`\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFB`;

interface Hiding {
  readonly what: string;
  readonly pattern: RegExp;
}

let hidings: readonly Hiding[] | undefined;

/** Compiled on first use: the Unicode classes are slow to compile. */
function hidingCharacters(): readonly Hiding[] {
  return (hidings ??= [
    {
      what: 'zero-width characters',
      pattern: new RegExp(`(?![${MARKS}${BIDI}${TAGS}${SELECTORS}])[${INVISIBLE}]`, 'gu'),
    },
    {
      what: 'joiners or direction marks',
      pattern: new RegExp(`(?<![${NEEDS_MARKS}])[${MARKS}](?![${NEEDS_MARKS}])`, 'gu'),
    },
    { what: 'bidirectional controls', pattern: new RegExp(`[${BIDI}]`, 'gu') },
    { what: 'tag characters', pattern: new RegExp(`[${TAGS}]`, 'gu') },
    { what: 'stray variation selectors', pattern: new RegExp(`[${SELECTORS}]`, 'gu') },
    { what: 'control characters', pattern: /[^\P{Cc}\t\n\r]/gu },
    { what: 'odd line breaks', pattern: /\r(?!\n)|[\u2028\u2029]/gu },
  ]);
}

export const textInvisible: AnnotationRule = {
  id: 'text-invisible',
  severity: 'error',
  summary: 'A text of the tool has invisible characters.',
  why: 'The person approves one text while the model obeys another, or the terminal does.',
  check: (tools) => tools.flatMap(hiddenFlaws),
};

function hiddenFlaws(tool: LintedTool): Flaw[] {
  return textsOf(tool).texts.flatMap((text) => hiddenIn(text, tool.name));
}

/** Texts of these characters alone need no further check. Nearly all texts are. */
const PLAINLY_VISIBLE = /^[\t\n -~]*$/;

function hiddenIn({ path, text }: ToolText, tool: string): Flaw[] {
  if (PLAINLY_VISIBLE.test(text)) return [];
  const plain = VISIBLE.reduce((rest, part) => rest.replaceAll(part, ''), text);
  return hidingCharacters().flatMap(({ what, pattern }) => {
    const found = plain.match(pattern);
    if (found === null) return [];
    const message = `Has ${what} in its ${path}: ${codePoints(found)}.`;
    return [{ tool, message, fix: 'Remove them; if the text was copied, type it again.' }];
  });
}

let hidden: RegExp | undefined;

/** The text with the characters that the rule reports spelled out, such as `⟨U+202E⟩`. */
export function hiddenSpelledOut(text: string): string {
  if (PLAINLY_VISIBLE.test(text)) return text;
  const needed = new Set<number>();
  for (const part of VISIBLE) {
    for (const { index, 0: found } of text.matchAll(part)) {
      for (let at = index; at < index + found.length; at++) needed.add(at);
    }
  }
  hidden ??= new RegExp(
    hidingCharacters()
      .map(({ pattern }) => pattern.source)
      .join('|'),
    'gu',
  );
  return text.replaceAll(hidden, (character, at: number) =>
    needed.has(at) ? character : `⟨${codePoints([character])}⟩`,
  );
}

function codePoints(characters: readonly string[]): string {
  return Array.from(new Set(characters), (character) => character.codePointAt(0) ?? 0)
    .toSorted((a, b) => a - b)
    .map((point) => `U+${point.toString(16).toUpperCase().padStart(4, '0')}`)
    .join(' ');
}
