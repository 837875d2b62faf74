/** Splits a command line into words. Quotes keep words together. There is no other syntax. */

const WORD = /"([^"]*)"|'([^']*)'|\S+/g;

/** The words become `command` and `args`, so no shell is involved. */
export function splitCommand(text: string): string[] {
  return Array.from(text.matchAll(WORD), ([word, double, single]) => double ?? single ?? word);
}
