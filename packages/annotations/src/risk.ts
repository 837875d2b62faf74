/** One word of risk out of the effective hints, and whether a call may be repeated; no access control. */

import { type EffectiveHints, HINT_SOURCES } from './resolve.js';

/** From harmless to harmful. */
export const RISKS = ['read', 'write', 'destructive'] as const;

export type Risk = (typeof RISKS)[number];

/** The risk of a call. A tool that is called read-only and destructive counts as destructive. */
export function riskOf(effective: EffectiveHints): Risk {
  if (isContradictory(effective)) return 'destructive';
  if (effective.readOnlyHint.value) return 'read';
  return effective.destructiveHint.value ? 'destructive' : 'write';
}

/** Whether a failed call may be sent again without asking: it reads, or repeating it changes nothing. */
export function mayRetry(effective: EffectiveHints): boolean {
  return riskOf(effective) === 'read' || effective.idempotentHint.value;
}

/**
 * Read-only and destructive at once, the latter by a voice that ranks no lower than the former: the
 * spec contradicts nobody, a server does not contradict the operator's override.
 */
export function isContradictory({ readOnlyHint, destructiveHint }: EffectiveHints): boolean {
  if (!readOnlyHint.value || !destructiveHint.value) return false;
  return HINT_SOURCES.indexOf(destructiveHint.source) >= HINT_SOURCES.indexOf(readOnlyHint.source);
}
