import type { TruthCase } from './truth.mjs';

export function rowsOf(cases: readonly TruthCase[]): string;
