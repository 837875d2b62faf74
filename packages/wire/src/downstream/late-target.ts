/** A call to an unknown name while servers start. */

import type { Source } from '@callsign/core';

import { foundWhileStarting, type Starting } from '../extensions/request/while-starting.js';
import type { Prepared } from './prepared-call.js';

const CANCELLED = 'cancelled';

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
export async function foundLater(target: LateTarget): Promise<Prepared | undefined> {
  const { surface, view, prepare, isWanted } = target;
  const found = await foundWhileStarting(view, surface, () => {
    const prepared = isWanted() ? prepare() : CANCELLED;
    return prepared === CANCELLED || 'call' in prepared ? prepared : undefined;
  });
  if (found === CANCELLED || !isWanted()) return undefined;
  return found ?? prepare();
}
