/** References to variables in an entry, replaced by a value. */

import type { WrittenEntry } from '@callsign/config';

import { literalText, mapTexts } from './entry-texts.js';

/** The entry with the value in place of `${NAME}`, `${env:NAME}` and `$NAME`. A default is not used then. */
export function withVariable(entry: WrittenEntry, name: string, value: string): WrittenEntry {
  const word = name.replace(/[^\w]/g, '\\$&');
  const reference = new RegExp(
    `(?<!\\$)\\$(?:\\{(?:env:)?${word}(?::-[^}]*)?\\}|${word}(?![A-Za-z0-9_]))`,
    'g',
  );
  const text = literalText(value);
  return mapTexts(entry, (each) => each.replace(reference, () => text)) as WrittenEntry;
}

/** Every text in an entry. */
export function textsIn(entry: WrittenEntry): string[] {
  const texts: string[] = [];
  mapTexts(entry, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}
