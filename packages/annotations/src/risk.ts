/** One word of risk out of the effective hints, and whether a call may be repeated; no access control. */

import type { EffectiveHints } from './resolve.js';

/** From harmless to harmful. */
export const RISKS = ['read', 'write', 'destructive'] as const;

export type Risk = (typeof RISKS)[number];

/** A read-only tool is `read` unless somebody said it destroys: then the more dangerous word counts. */
export function riskOf(effective: EffectiveHints): Risk {
  if (isContradictory(effective)) return 'destructive';
  if (effective.readOnlyHint.value) return 'read';
  return effective.destructiveHint.value ? 'destructive' : 'write';
}

/** Whether a failed call may be sent again without asking: it reads, or repeating it changes nothing. */
export function mayRetry(effective: EffectiveHints): boolean {
  return riskOf(effective) === 'read' || effective.idempotentHint.value;
}

/** Read-only and destructive at once, the latter said by somebody and not merely the spec's default. */
export function isContradictory({ readOnlyHint, destructiveHint }: EffectiveHints): boolean {
  return readOnlyHint.value && destructiveHint.value && destructiveHint.source !== 'default';
}

export function riskier(a: Risk, b: Risk): Risk {
  return RISKS.indexOf(a) >= RISKS.indexOf(b) ? a : b;
}
