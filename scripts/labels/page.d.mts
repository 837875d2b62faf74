import type { JudgedOperation, JudgedTool } from './corpus.mjs';
import type { ImportCase } from './imports.mjs';

export function pageOf(corpus: {
  readonly tools: readonly JudgedTool[];
  readonly operations: readonly JudgedOperation[];
  readonly imports: readonly ImportCase[];
}): string;
