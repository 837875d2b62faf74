/** Text of others, cut to a length that a record can bear. */

/** Longer names and rules are somebody's joke. */
const LONGEST = 512;

export function bounded(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
