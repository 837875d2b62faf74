/** The levels of trust in an adapter, and what each level allows. */

import { type DangerLevel, isAtLeast } from './danger.js';

/** From a first draft to an adapter that a person vouches for. */
export const TRUST_LEVELS = [
  'untested',
  'generated',
  'validated',
  'community_reviewed',
  'certified',
] as const;

/** How far an adapter was checked. A higher level allows more dangerous operations. */
export type TrustLevel = (typeof TRUST_LEVELS)[number];

/** `confirm`: the caller must repeat the call with a token. */
export type Verdict = 'allow' | 'confirm' | 'deny';

/** The highest danger that each level allows. An untested adapter only answers introspection. */
const WORST: Readonly<Record<TrustLevel, DangerLevel | undefined>> = {
  untested: undefined,
  generated: 'safe',
  validated: 'destructive',
  community_reviewed: 'dangerous',
  certified: 'forbidden',
};

/** Destructive operations need a confirmation at every level of trust. */
export function verdictOn(danger: DangerLevel, trust: TrustLevel): Verdict {
  const worst = WORST[trust];
  if (worst === undefined || (danger !== worst && isAtLeast(danger, worst))) return 'deny';
  return isAtLeast(danger, 'destructive') ? 'confirm' : 'allow';
}

/** The decision for a call, with the reason if it is refused. */
export type CallVerdict =
  | { readonly is: 'allow' | 'confirm' }
  | { readonly is: 'deny'; readonly because: 'danger' | 'not-reviewed' };

/** The facts about an operation that a decision needs. */
export interface JudgedOperation {
  readonly danger: { readonly level: DangerLevel };
  readonly requiresConfirmation: boolean;
  readonly isReviewed: boolean;
  readonly isProvenRead: boolean;
}

/**
 * Decides about a call. Without a review only proven reads are allowed, at every level of trust.
 */
export function callVerdict(operation: JudgedOperation, trust: TrustLevel): CallVerdict {
  const { danger, requiresConfirmation, isReviewed, isProvenRead } = operation;
  const verdict = verdictOn(danger.level, trust);
  if (verdict === 'deny') return { is: 'deny', because: 'danger' };
  const isOpen = isReviewed && isAccepted(trust);
  if (!isOpen && !isProvenRead) return { is: 'deny', because: 'not-reviewed' };
  return { is: requiresConfirmation ? 'confirm' : verdict };
}

/** Whether a person vouches for the adapter's target and credentials. */
export function isAccepted(trust: TrustLevel): boolean {
  return trust !== 'untested' && trust !== 'generated';
}

/** The lowest trust that allows an operation of this danger. */
export function trustNeededFor(danger: DangerLevel): TrustLevel {
  return TRUST_LEVELS.find((level) => verdictOn(danger, level) !== 'deny') ?? 'certified';
}
