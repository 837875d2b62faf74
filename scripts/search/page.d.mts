import type { Round } from './questions.mjs';

export function pageOf(rounds: readonly Round[]): string;
