/** Cuts text from outside to a length that fits into a record. */

const LONGEST = 512;

/** At most 512 characters, and `…` if the text was longer. */
export function bounded(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
