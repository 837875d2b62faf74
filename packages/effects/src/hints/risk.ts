/**
 * The risk of a label's hints in one word, and what follows from it. This is not access control.
 */

import { type LabelHints, ranksAsHigh } from './evidence.js';

/** From harmless to harmful. */
export const RISKS = ['read', 'write', 'destructive'] as const;

/** The one word of a label that policies, questions and records use. */
export type Risk = (typeof RISKS)[number];

/** The risk of a call. A tool that is both read-only and destructive counts as destructive. */
export function riskOf(hints: LabelHints): Risk {
  if (isContradictory(hints)) return 'destructive';
  if (hints.readOnlyHint.value) return 'read';
  return hints.destructiveHint.value ? 'destructive' : 'write';
}

/**
 * Whether a claim or the operator says that the tool reads. Its own words are not enough. Only a
 * proven read needs no intent before it.
 */
export function isProvenRead(hints: LabelHints): boolean {
  return riskOf(hints) === 'read' && hints.readOnlyHint.evidence.by !== 'words';
}

/**
 * Whether a failed call may be sent again without asking: it is a proven read, or it is idempotent.
 */
export function mayRetry(hints: LabelHints): boolean {
  return isProvenRead(hints) || hints.idempotentHint.value;
}

/**
 * Whether a label says read-only and destructive at once, the latter from a source that is at least
 * as strong. A default therefore contradicts nothing, and a server does not contradict the
 * operator.
 */
export function isContradictory({ readOnlyHint, destructiveHint }: LabelHints): boolean {
  if (!readOnlyHint.value || !destructiveHint.value) return false;
  return ranksAsHigh(destructiveHint.evidence, readOnlyHint.evidence);
}
