/** Counts typing errors between two words. Swapping two neighbours counts as one. */

// Three rows of the matrix, reused by all calls: suggestions compare thousands of pairs.
let [before, previous, current] = [new Uint16Array(64), new Uint16Array(64), new Uint16Array(64)];

/** The distance, or `limit + 1` as soon as it is certain to be more than `limit`. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let start = 0;
  const shorter = Math.min(a.length, b.length);
  while (start < shorter && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA--;
    endB--;
  }
  return bandedDistance(a.slice(start, endA), b.slice(start, endB), limit);
}

/**
 * Fills only cells within `limit` of the diagonal: no other cell can lead to a distance within
 * `limit`.
 */
function bandedDistance(a: string, b: string, limit: number): number {
  if (a.length === 0 || b.length === 0) return Math.min(a.length + b.length, limit + 1);
  makeRoom(b.length + 1);
  for (let j = 0; j <= b.length; j++) previous[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - limit);
    const to = Math.min(b.length, i + limit);
    current.fill(limit + 1, from - 1, Math.min(to + 2, b.length + 1));
    if (from === 1) current[0] = i;
    let best = from === 1 ? i : limit + 1;
    for (let j = from; j <= to; j++) {
      const cost = cell(a, b, i, j);
      current[j] = cost;
      if (cost < best) best = cost;
    }
    if (best > limit) return limit + 1;
    [before, previous, current] = [previous, current, before];
  }
  return Math.min(previous[b.length]!, limit + 1);
}

function cell(a: string, b: string, i: number, j: number): number {
  const isSame = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
  const changed = previous[j - 1]! + (isSame ? 0 : 1);
  const cost = Math.min(previous[j]! + 1, current[j - 1]! + 1, changed);
  const isSwapped =
    i > 1 &&
    j > 1 &&
    a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
    a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
  return isSwapped ? Math.min(cost, before[j - 2]! + 1) : cost;
}

function makeRoom(length: number): void {
  if (previous.length >= length) return;
  const size = length * 2;
  [before, previous, current] = [
    new Uint16Array(size),
    new Uint16Array(size),
    new Uint16Array(size),
  ];
}
