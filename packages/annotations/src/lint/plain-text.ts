/** A text as a model takes it, whatever letters it is dressed in: for matching phrases, not for showing. */

/** Letters of other alphabets that look like a Latin one, and quotes; NFKD folds the compatibility forms. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  a: 'аɑαᴀ',
  b: 'ьʙвβ',
  c: 'сςᴄ',
  d: 'ԁᴅ',
  e: 'еҽєεᴇ',
  f: 'ꜰ',
  g: 'ɡɢ',
  h: 'һʜн',
  i: 'іıιɩɪӏ',
  j: 'јϳᴊ',
  k: 'кκᴋ',
  l: 'ʟ',
  m: 'мᴍ',
  n: 'пηɴ',
  o: 'оοσօᴏ',
  p: 'рρᴘ',
  q: 'ԛ',
  r: 'гʀ',
  s: 'ѕꜱ',
  t: 'тτᴛ',
  u: 'υսᴜ',
  v: 'νѵᴠ',
  w: 'ԝωѡᴡ',
  x: 'хχ',
  y: 'уγүʏ',
  z: 'ᴢ',
  "'": '’‘ʼ',
};

const LATIN_BY_LOOKALIKE: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOKALIKES).flatMap(([latin, others]) =>
    [...others].map((other): [string, string] => [other, latin]),
  ),
);

const LOOKALIKE = new RegExp(`[${[...LATIN_BY_LOOKALIKE.keys()].join('')}]`, 'gu');

/** Accents, and what takes no ink; a control character that is no blank is nothing either. */
const NO_LETTER = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]|[^\P{Cc}\s]/gu;

/** Arabic looks like no Latin letter, and some of it unfolds to eighteen times its length. */
const ARABIC_FORMS = /[\uFB50-\uFDFF\uFE70-\uFEFE]/g;

/** In small Latin letters where they look like that, without emphasis, each run of blanks as one space. */
export function plainText(text: string): string {
  const letters = /^[\s -~]*$/.test(text) ? text.toLowerCase() : latinLetters(text);
  return letters.replaceAll('*', '').replaceAll(/\s+/g, ' ');
}

function latinLetters(text: string): string {
  return text
    .replaceAll(ARABIC_FORMS, ' ')
    .normalize('NFKD')
    .replaceAll(NO_LETTER, '')
    .toLowerCase()
    .replaceAll(LOOKALIKE, (letter) => LATIN_BY_LOOKALIKE.get(letter) ?? letter);
}
