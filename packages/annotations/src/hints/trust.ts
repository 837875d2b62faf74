/** How far the claims of a server are believed. */

import { type Hint, SPEC_DEFAULTS, statedHint } from './hints.js';

/**
 * `checked`: a claim counts unless the tool's own words contradict it. `full`: as it stands. `none`:
 * only where it raises the risk.
 */
export const TRUSTS = ['checked', 'full', 'none'] as const;

export type Trust = (typeof TRUSTS)[number];

/** What a claim says of one hint, as far as the trust in its server goes; nothing is checked here. */
export function trustedClaim(
  annotations: unknown,
  hint: Hint,
  trust: Trust = 'checked',
): boolean | undefined {
  const claimed = statedHint(annotations, hint);
  // The default of each hint is its dangerous value, so to agree with it never lowers the risk.
  return trust !== 'none' || claimed === SPEC_DEFAULTS[hint] ? claimed : undefined;
}
