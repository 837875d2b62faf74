/** One word of risk out of a label's hints, and what the label is good enough for. No access control. */

import { type LabelHints, ranksAsHigh } from './evidence.js';

/** From harmless to harmful. */
export const RISKS = ['read', 'write', 'destructive'] as const;

export type Risk = (typeof RISKS)[number];

/** The risk of a call. A tool that is called read-only and destructive counts as destructive. */
export function riskOf(hints: LabelHints): Risk {
  if (isContradictory(hints)) return 'destructive';
  if (hints.readOnlyHint.value) return 'read';
  return hints.destructiveHint.value ? 'destructive' : 'write';
}

/**
 * Whether a tool reads on more than its own words: on a claim, or on the operator's word. Only such
 * a read may be sent again, and may do without an intent in the journal.
 */
export function isProvenRead(hints: LabelHints): boolean {
  return riskOf(hints) === 'read' && hints.readOnlyHint.evidence.by !== 'words';
}

/** Whether a failed call may be sent again without asking: it surely reads, or it may be repeated. */
export function mayRetry(hints: LabelHints): boolean {
  return isProvenRead(hints) || hints.idempotentHint.value;
}

/**
 * Read-only and destructive at once, the latter by a voice that ranks no lower than the former: the
 * specification contradicts nobody, and a server does not contradict the operator.
 */
export function isContradictory({ readOnlyHint, destructiveHint }: LabelHints): boolean {
  if (!readOnlyHint.value || !destructiveHint.value) return false;
  return ranksAsHigh(destructiveHint.evidence, readOnlyHint.evidence);
}
