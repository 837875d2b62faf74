import type { JudgedTool } from './corpus.mjs';

interface Share {
  readonly part: number;
  readonly whole: number;
}

export interface Measures {
  readonly servers: number;
  readonly tools: number;
  readonly known: number;
  readonly byHand: number;
  readonly rightReads: Share;
  readonly foundReads: Share;
  readonly rightWrites: Share;
  readonly agreedHints: Share;
  readonly agreedRisks: Share;
}

export function measure(tools: readonly JudgedTool[]): Measures;
export function disputedReads(tools: readonly JudgedTool[]): JudgedTool[];
