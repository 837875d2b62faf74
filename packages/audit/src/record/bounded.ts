/** Text from outside, cut to a length that fits a record. */

const LONGEST = 512;

export function bounded(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
