/** Finds characters that people or models confuse with others, or do not see at all. */

/**
 * Letters that look like a Latin one in common fonts: of other scripts, and small capitals. They
 * stand here as they are after NFKC and in lower case (the lunate sigma becomes ς). Full width,
 * mathematical letters and ligatures need no entry.
 */
const LOOKALIKES: Readonly<Record<string, string>> = {
  a: 'аɑαᴀ',
  b: 'ьƅβвʙ',
  c: 'сςᴄ',
  d: 'ԁᴅ',
  e: 'еҽєεᴇ',
  f: 'ꜰ',
  g: 'ɡɢ',
  h: 'һнʜ',
  i: 'іıιɩӏɪ',
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
};

const LATIN_BY_LOOKALIKE: ReadonlyMap<string, string> = new Map(
  Object.entries(LOOKALIKES).flatMap(([latin, others]) =>
    [...others].map((other): [string, string] => [other, latin]),
  ),
);
const LOOKALIKE = new RegExp(`[${[...LATIN_BY_LOOKALIKE.keys()].join('')}]`, 'gu');

/** Characters of names that are easily confused with each other, though all may be ASCII. */
const CONFUSED_IN_NAMES: ReadonlyMap<string, string> = new Map([
  ['1', 'i'],
  ['l', 'i'],
  ['0', 'o'],
  ...[...'-. ‐‑–—/'].map((character): [string, string] => [character, '_']),
]);

/** Latin letters for all that look like one. Expects lower case, after NFKC or NFKD. */
export function latinLetters(text: string): string {
  return text.replaceAll(LOOKALIKE, (letter) => LATIN_BY_LOOKALIKE.get(letter)!);
}

/** Matches every invisible character. Global: use it with `replace` or `search` only. */
export const INVISIBLE: RegExp = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Whether a text contains an invisible character: zero-width, bidi, tag or control. */
export function hasInvisible(text: string): boolean {
  return text.search(INVISIBLE) !== -1;
}

/** A text in which look-alike characters are the same. Two texts with one skeleton look alike. */
export function skeleton(text: string): string {
  const folded = isAscii(text)
    ? text.toLowerCase()
    : latinLetters(text.normalize('NFKC').replace(INVISIBLE, '').toLowerCase());
  let result = '';
  for (const character of folded) result += CONFUSED_IN_NAMES.get(character) ?? character;
  return result.replaceAll('rn', 'm').replace(/_+/g, '_');
}

/**
 * Whether a text mixes letters of several scripts that look alike: a Cyrillic `е` among Latin
 * letters.
 */
export function mixesScripts(text: string): boolean {
  if (isAscii(text)) return false;
  const scripts = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u];
  return scripts.filter((script) => script.test(text)).length > 1;
}

function isAscii(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- the range is the point
  return /^[\0-\x7f]*$/.test(text);
}
