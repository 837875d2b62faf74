/**
 * Writes a text in plain Latin letters, as a model understands it. For matching phrases, not for
 * display.
 */

import { latinLetters } from '@callsign/naming';

const APOSTROPHES = /[’‘ʼ]/g;

/** Accents, invisible characters, and control characters that are not blanks. */
const NO_LETTER = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]|[^\P{Cc}\s]/gu;

/**
 * Left out before NFKD: they do not look like Latin, and some expand to eighteen times their
 * length.
 */
const ARABIC_FORMS = /[\uFB50-\uFDFF\uFE70-\uFEFE]/g;

/** Lower case, Latin letters for look-alikes, no emphasis, and single spaces. */
export function plainText(text: string): string {
  const letters = /^[\s -~]*$/.test(text) ? text.toLowerCase() : withoutMarks(text);
  return letters.replaceAll('*', '').replaceAll(/\s+/g, ' ');
}

function withoutMarks(text: string): string {
  const letters = text
    .replaceAll(ARABIC_FORMS, ' ')
    .normalize('NFKD')
    .replaceAll(NO_LETTER, '')
    .toLowerCase();
  return latinLetters(letters).replaceAll(APOSTROPHES, "'");
}
