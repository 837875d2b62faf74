import type { Mutant } from './mutants.mjs';

export interface Accepted {
  readonly file: string;
  readonly in: string;
  readonly change: string;
  readonly nth: number;
  readonly reason: string;
}
export interface Result {
  readonly group: string;
  readonly mutant: Mutant;
  readonly state: 'killed' | 'timeout' | 'survived' | 'untested';
}
export function readAccepted(): Accepted[];
export function keyOf(mutant: Pick<Accepted, 'file' | 'in' | 'change' | 'nth'>): string;
export function staleEntries(
  accepted: readonly Accepted[],
  mutants: readonly Mutant[],
  results: readonly Result[],
): string[];
