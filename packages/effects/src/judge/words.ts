/** Splits names, paths and texts into words that can be compared with tables. Never used for routing. */

import { latinLetters } from '@callsign/naming';

/** Invisible characters; line breaks and tabs stay. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]|[^\P{Cc}\s]/gu;

/** A text without letters that look like others: full width, mathematical, invisible, of other alphabets. */
export function plainText(text: string): string {
  if (/^[\s -~]*$/.test(text)) return text.toLowerCase();
  const lower = text.normalize('NFKC').replaceAll(INVISIBLE, '').toLowerCase();
  return lower.replaceAll('\u2019', "'").replaceAll(/[\p{L}\p{M}]+/gu, latinWord);
}

/** Words of other alphabets stay, unless every letter looks like a Latin one, or some are Latin. */
function latinWord(word: string): string {
  if (/^[a-z]*$/.test(word)) return word;
  const latin = latinLetters(word);
  return /[a-z]/.test(word) || /^[a-z]+$/.test(latin) ? latin : word;
}

/** `getHTTPPage`, `get_http_page` and `get-http-page` all give `get`, `http`, `page`. `auto_complete` and `AddOn` are one word. */
export function wordsOf(text: string): string[] {
  return plainText(
    text
      .normalize('NFKC')
      .replaceAll(/auto[-_ ]?complete/gi, 'autocomplete')
      .replaceAll(/(?<=[Aa]dd-?)On(?=s?(?![a-z]))/g, 'on')
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
      .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2'),
  )
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '');
}

/** The parts between `__`, `.`, `/` and `:`, where servers, groups and tools are usually joined. */
export function segmentsOf(name: string): string[] {
  return name.split(/__+|[./:]/).filter((segment) => segment !== '');
}

/** Whether a Latin letter stands beside a Greek or Cyrillic one: `get_d\u0435lete` looks like `get_delete`. */
export function mixesAlphabets(name: string): boolean {
  return /[a-z][\u0370-\u052f]|[\u0370-\u052f][a-z]/i.test(
    name.normalize('NFKC').replaceAll(INVISIBLE, ''),
  );
}
