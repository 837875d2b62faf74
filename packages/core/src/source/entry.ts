/** A thing on offer with its identity, its label and the way to it. */

import type { StatedHints } from '@callsign/annotations';

import type { Route } from '../call/route.js';
import type { Target } from '../call/target.js';

export interface Entry extends Target {
  /** The server's own annotations, whatever they are. */
  readonly claim: unknown;
  /** The operator's own word, which clients are to see as well. */
  readonly override: StatedHints;
  /** Through the interceptors to the source. */
  readonly route: Route;
}
