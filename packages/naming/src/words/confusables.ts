/** Finds characters that people or models confuse with others, or do not see at all. */

// Letters of other scripts that look like a Latin one in common fonts, as they are after NFKC and
// in lower case (the lunate sigma becomes ς). Full width, mathematical letters and ligatures need
// no entry.
const LOOKALIKES: Readonly<Record<string, string>> = {
  a: 'аɑα',
  b: 'ьƅβ',
  c: 'сς',
  d: 'ԁ',
  e: 'еҽє',
  g: 'ɡ',
  h: 'һ',
  i: 'іıι1lɩӏ',
  j: 'јϳ',
  k: 'кκ',
  m: 'м',
  n: 'пη',
  o: 'оοσ0օ',
  p: 'рρ',
  q: 'ԛ',
  r: 'г',
  s: 'ѕ',
  t: 'тτ',
  u: 'υս',
  v: 'νѵ',
  w: 'ԝωѡ',
  x: 'хχ',
  y: 'уγү',
  z: 'ᴢ',
  _: '-. ‐‑–—/',
};

const LATIN_BY_LOOKALIKE = new Map(
  Object.entries(LOOKALIKES).flatMap(([latin, others]) =>
    [...others].map((other) => [other, latin]),
  ),
);
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
    : text.normalize('NFKC').replace(INVISIBLE, '').toLowerCase();
  let result = '';
  for (const character of folded) result += LATIN_BY_LOOKALIKE.get(character) ?? character;
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
