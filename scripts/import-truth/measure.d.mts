import type { TruthCase } from './truth.mjs';

interface Share {
  readonly part: number;
  readonly whole: number;
}

export const EMPTY_TEXT: string;

/** How many of each kind can be called before a review. */
export function measure(
  cases: readonly TruthCase[],
  text?: string,
): { readonly changes: Share; readonly trickyReads: Share; readonly realReads: Share };

export function isCallable(each: TruthCase, text?: string): boolean;
