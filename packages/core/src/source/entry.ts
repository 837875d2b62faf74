/** An offered item with its identity, its label and its route. */

import type { StatedHints } from '@callsign/effects';

import type { Route } from '../call/route.js';
import type { Target } from '../call/target.js';

/** Valid until its server's list changes: then there are new entries. */
export interface Entry extends Target {
  /** The server's own annotations, unchecked. */
  readonly claim: unknown;
  /** The operator's hints, which clients see too. */
  readonly override: StatedHints;
  /** Whether its calls carry the names of its server's tools as the caller sees them. */
  readonly asksForNames: boolean;
  /** The route to the source, through the interceptors. */
  readonly route: Route;
}
