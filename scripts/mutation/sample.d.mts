import type { Mutant } from './mutants.mjs';

export function sample(mutants: readonly Mutant[], count: number, seed: number): Mutant[];
