/** Puts values in place of the variables of an entry, for an import that asks for them. */

import { literalText, type WrittenEntry } from '@callsign/config';

import { mapTexts } from './entry-texts.js';

/**
 * A copy of the entry with the value in place of `${NAME}`, `${env:NAME}` and `$NAME`. A default
 * such as `${NAME:-text}` is replaced too.
 */
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
