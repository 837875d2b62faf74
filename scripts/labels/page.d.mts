import type { JudgedTool } from './corpus.mjs';

export function pageOf(corpus: readonly JudgedTool[]): string;
