/** The numbers of the calls of a script that a person approves: `1-3, 7`. */

const MAX_TEXT = 10_000;

/** `undefined`: it is not clear, names no call, or names one above `count`. */
export function numbersIn(text: unknown, count: number): ReadonlySet<number> | undefined {
  const numbers = new Set<number>();
  if (typeof text !== 'string' || text.length > MAX_TEXT) return undefined;
  for (const part of text.split(',')) {
    const found = /^\s*(\d{1,6})\s*(?:-\s*(\d{1,6})\s*)?$/.exec(part);
    if (!found) return undefined;
    const [from, to] = [Number(found[1]), Number(found[2] ?? found[1])];
    if (from < 1 || to > count || from > to) return undefined;
    for (let each = from; each <= to; each++) numbers.add(each);
  }
  return numbers;
}
