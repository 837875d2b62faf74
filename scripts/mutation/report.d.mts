import type { Accepted, Result } from './accepted.mjs';

export function report(
  results: readonly Result[],
  accepted: readonly Accepted[],
  stale: readonly string[],
): { readonly text: string; readonly failures: readonly string[] };
