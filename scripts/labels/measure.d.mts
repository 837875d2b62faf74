import type { JudgedOperation, JudgedTool } from './corpus.mjs';
import type { ImportCase } from './imports.mjs';

export interface Share {
  readonly part: number;
  readonly whole: number;
}

export const EMPTY_TEXT: string;
export function measureTools(tools: readonly JudgedTool[]): {
  readonly servers: number;
  readonly tools: number;
  readonly rightReads: Share;
  readonly foundReads: Share;
  readonly harmfulReads: Share;
  readonly rightWrites: Share;
  readonly agreedClaims: Share;
  readonly agreedHints: Share;
};
export function measureOperations(operations: readonly JudgedOperation[]): {
  readonly changes: Share;
  readonly reads: Share;
  readonly endpoints: Share;
  readonly changesAsReads: Share;
};
export function measureImports(
  cases: readonly ImportCase[],
  text?: string,
): { readonly changes: Share; readonly trickyReads: Share; readonly realReads: Share };
