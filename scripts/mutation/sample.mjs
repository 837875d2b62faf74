// Picks mutants by a seed. A mutant's rank depends on the seed and on itself alone, so that a change
// to one file does not change which mutants of other files are picked.
import { createHash } from 'node:crypto';

import { keyOf } from './accepted.mjs';

export function sample(mutants, count, seed) {
  return mutants
    .map((mutant) => ({ mutant, rank: rank(`${seed}\n${keyOf(mutant)}`) }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant);
}

function rank(text) {
  return createHash('sha256').update(text).digest('hex');
}
