/**
 * Writes a text in plain Latin letters, as a model understands it. For matching phrases, not for
 * display.
 */

/**
 * Letters of other alphabets that look like a Latin one, and quotes. NFKD already folds the
 * compatibility forms.
 */
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

/** Accents, invisible characters, and control characters that are not blanks. */
const NO_LETTER = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]|[^\P{Cc}\s]/gu;

/**
 * Left out before NFKD: they do not look like Latin, and some expand to eighteen times their
 * length.
 */
const ARABIC_FORMS = /[\uFB50-\uFDFF\uFE70-\uFEFE]/g;

/** Lower case, Latin letters for look-alikes, no emphasis, and single spaces. */
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
    .replaceAll(LOOKALIKE, (letter) => LATIN_BY_LOOKALIKE.get(letter)!);
}
