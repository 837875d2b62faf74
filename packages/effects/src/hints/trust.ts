/** How far the claims of a server are believed. */

import { type Hint, SPEC_DEFAULTS, statedHint } from './hints.js';

/**
 * `checked`: a claim counts unless the tool's own words contradict it. `full`: every claim counts.
 * `none`: a claim counts only if it raises the risk.
 */
export const TRUSTS = ['checked', 'full', 'none'] as const;

/** The setting `trust` of one server. `checked` if it is not set. */
export type Trust = (typeof TRUSTS)[number];

/**
 * The claim for one hint, as far as its server is trusted. `undefined`: no claim, or one that does
 * not count. Words are not checked here (label.ts does that).
 */
export function trustedClaim(
  annotations: unknown,
  hint: Hint,
  trust: Trust = 'checked',
): boolean | undefined {
  const claimed = statedHint(annotations, hint);
  // The default of each hint is its dangerous value. A claim of that value never lowers the risk.
  return trust !== 'none' || claimed === SPEC_DEFAULTS[hint] ? claimed : undefined;
}
