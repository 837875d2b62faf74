/** How far an adapter has been looked at, and what it may do at each stage. */

import { type DangerLevel, isAtLeast } from './danger.js';

/** From a first draft to what somebody vouches for. */
export const TRUST_LEVELS = [
  'untested',
  'generated',
  'validated',
  'community_reviewed',
  'certified',
] as const;

export type TrustLevel = (typeof TRUST_LEVELS)[number];

export type Verdict = 'allow' | 'confirm' | 'deny';

/** The worst that an adapter of each level may do; an untested one may only be introspected. */
const WORST: Readonly<Record<TrustLevel, DangerLevel | undefined>> = {
  untested: undefined,
  generated: 'safe',
  validated: 'destructive',
  community_reviewed: 'dangerous',
  certified: 'forbidden',
};

/** Whatever destroys is confirmed first, at every level of trust. */
export function verdictOn(danger: DangerLevel, trust: TrustLevel): Verdict {
  const worst = WORST[trust];
  if (worst === undefined || (danger !== worst && isAtLeast(danger, worst))) return 'deny';
  return isAtLeast(danger, 'destructive') ? 'confirm' : 'allow';
}

/** What comes of a call to an operation, and why if it is refused. */
export type CallVerdict =
  | { readonly is: 'allow' | 'confirm' }
  | { readonly is: 'deny'; readonly because: 'danger' | 'not-reviewed' };

export interface JudgedOperation {
  readonly danger: { readonly level: DangerLevel };
  readonly requiresConfirmation: boolean;
  readonly isReviewed: boolean;
  readonly isProvenRead: boolean;
}

/** Before a review, only what provably reads can be called, whatever the file's level is. */
export function callVerdict(operation: JudgedOperation, trust: TrustLevel): CallVerdict {
  const { danger, requiresConfirmation, isReviewed, isProvenRead } = operation;
  const verdict = verdictOn(danger.level, trust);
  if (verdict === 'deny') return { is: 'deny', because: 'danger' };
  const isOpen = isReviewed && isAccepted(trust);
  if (!isOpen && !isProvenRead) return { is: 'deny', because: 'not-reviewed' };
  return { is: requiresConfirmation ? 'confirm' : verdict };
}

/** Whether a person vouches for the adapter: its target, and how it signs in. */
export function isAccepted(trust: TrustLevel): boolean {
  return trust !== 'untested' && trust !== 'generated';
}

/** The least trust at which an operation of this danger is not refused. */
export function trustNeededFor(danger: DangerLevel): TrustLevel {
  return TRUST_LEVELS.find((level) => verdictOn(danger, level) !== 'deny') ?? 'certified';
}
