// Medians and their spread.

/** The value below which a share of all values lies; the values are in order of size. */
export function quantile(sorted, share) {
  if (sorted.length === 0) return NaN;
  const at = (sorted.length - 1) * share;
  const low = Math.floor(at);
  return sorted[low] + (sorted[Math.min(low + 1, sorted.length - 1)] - sorted[low]) * (at - low);
}

/** @param {number[]} values @returns {{ median: number, low: number, high: number }} with the middle half around it */
export function summary(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return {
    median: quantile(sorted, 0.5),
    low: quantile(sorted, 0.25),
    high: quantile(sorted, 0.75),
  };
}

/** The ratio of two values of the same round, because other load on the machine affects both. */
export function ratios(values, others) {
  return values.slice(0, others.length).map((value, round) => value / others[round]);
}
