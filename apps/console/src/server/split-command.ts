/** A command line as words. Quotes keep words together; nothing else has a meaning. */

const WORD = /"([^"]*)"|'([^']*)'|\S+/g;

export function splitCommand(text: string): string[] {
  return Array.from(text.matchAll(WORD), ([word, double, single]) => double ?? single ?? word);
}
