/** Which known word a wrong one was probably meant to be. */

/** The nearest of `known`, if it is near enough to be a slip of the finger. */
export function nearestWord(word: string, known: Iterable<string>): string | undefined {
  const typed = fold(word);
  if (typed === '') return undefined;
  let nearest: string | undefined;
  let fewest = Math.max(1, Math.floor(typed.length / 4)) + 1;
  for (const candidate of known) {
    const slips = slipsBetween(typed, fold(candidate));
    if (slips >= fewest) continue;
    nearest = candidate;
    fewest = slips;
  }
  return nearest;
}

/** `did you mean "command"?`, or the other advice where no known word is near. */
export function didYouMean(word: string, known: Iterable<string>, otherwise: string): string {
  const nearest = nearestWord(word, known);
  return nearest === undefined ? otherwise : `did you mean ${JSON.stringify(nearest)}?`;
}

function fold(word: string): string {
  return word
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .slice(0, 64);
}

/** Edits between two words; swapping two neighbours counts as one. */
function slipsBetween(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? before[j - 2]! + 1 : Infinity;
      current.push(Math.min(previous[j]! + 1, current[j - 1]! + 1, replaced, swapped));
    }
    before = previous;
    previous = current;
  }
  return previous[b.length]!;
}
