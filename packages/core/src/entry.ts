/** A thing on offer with its identity and its label: what the hub knows of it. */

import type { StatedHints } from '@callsign/annotations';

import type { Target } from './call.js';
import type { Route } from './source.js';

export interface Entry extends Target {
  /** The server's own annotations, whatever they are. */
  readonly claim: unknown;
  /** The operator's own word, which clients are to see as well. */
  readonly override: StatedHints;
  /** Through the interceptors to the source. */
  readonly route: Route;
}
