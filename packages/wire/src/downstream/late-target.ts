/** A call to an unknown name while servers start. */

import type { Call, Source } from '@callsign/core';
import { foundWhileStarting, type Starting } from '@callsign/extensions';

import { routeOf, type Prepared } from './surface.js';

export interface LateTarget {
  readonly surface: Starting;
  /** The view of the caller. It may change while the call waits. */
  readonly view: () => Source;
  /** Looks the name up again. */
  readonly prepare: () => Prepared;
  /** False: the call was cancelled. */
  readonly isWanted: () => boolean;
}

/**
 * Resolves when the name is known or all servers have started or failed. `undefined`: cancelled.
 */
export async function foundLater(unknown: Call, target: LateTarget): Promise<Prepared | undefined> {
  const { surface, view, prepare, isWanted } = target;
  await foundWhileStarting(view, surface, () => !isWanted() || routeOf(unknown, view()));
  return isWanted() ? prepare() : undefined;
}
