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

/** The least trust at which an operation of this danger is not refused. */
export function trustNeededFor(danger: DangerLevel): TrustLevel {
  return TRUST_LEVELS.find((level) => verdictOn(danger, level) !== 'deny') ?? 'certified';
}
