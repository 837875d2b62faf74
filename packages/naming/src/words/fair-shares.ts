/** Divides the space among parts: short parts keep all they need, long parts share the rest. */
export function fairShares(lengths: readonly number[], maxLength: number): number[] {
  const shares: number[] = [];
  let left = Math.max(maxLength, 0);
  const shortestFirst = lengths.map((_, i) => i).toSorted((a, b) => lengths[a]! - lengths[b]!);
  for (const [done, i] of shortestFirst.entries()) {
    shares[i] = Math.min(lengths[i]!, Math.floor(left / (lengths.length - done)));
    left -= shares[i]!;
  }
  return shares;
}
