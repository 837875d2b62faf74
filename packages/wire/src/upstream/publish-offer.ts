/** Takes over what a server offers now, and announces the change. */

import { KINDS, type Kind, type Listeners, type Slices, type SourceEvent } from '@callsign/core';

import { inSlices } from '../rpc/stream/in-slices.js';
import type { Offered, CachedOffer } from './offered.js';
import type { StateHolder } from './upstream-state.js';

/** Shorter lists need no preparation. */
const LONG_LIST = 200;

export interface Publisher {
  readonly offered: Offered;
  readonly state: StateHolder;
  readonly events: Listeners<SourceEvent>;
  /** Called with a changed offer. */
  readonly onOffer: ((offer: CachedOffer) => void) | undefined;
  /** Returns false if the server has ended, or another run has replaced it. */
  readonly isUp: () => boolean;
}

/**
 * The server is ready once its lists are prepared. Announces only changes, and what the server said
 * has changed (`announced`).
 */
export async function publishOffer(
  { offered, state, events, onOffer, isUp }: Publisher,
  offer: CachedOffer,
  failures: readonly string[],
  announced: readonly Kind[],
): Promise<void> {
  if (!isUp()) return;
  const change = offered.take(offer);
  const isLong = change.kinds.some((kind) => offered.lists[kind].length > LONG_LIST);
  if (isLong) await prepareChange(events, change.kinds);
  // After the offer, because waiting calls read it as soon as the state changes.
  if (isUp()) state.become(failures.length > 0 ? { is: 'ready', failures } : { is: 'ready' });
  const kinds = KINDS.filter((kind) => change.kinds.includes(kind) || announced.includes(kind));
  // Also if the server has ended: the next run announces only what differs from these lists.
  if (change.isAny || kinds.length > 0) events.tell({ type: 'changed', kinds });
  const keep = (): void => {
    if (change.isAny && isUp()) onOffer?.(offered.now!);
  };
  // A long offer takes long to write, so other work comes first.
  if (isLong) setImmediate(keep);
  else keep();
}

/** Subscribers prepare for long lists in slices, so that the change itself is quick. */
async function prepareChange(
  events: Listeners<SourceEvent>,
  kinds: readonly Kind[],
): Promise<void> {
  const work: Slices<void>[] = [];
  events.tell({ type: 'changing', kinds, prepare: (part) => work.push(part) });
  for (const part of work) await inSlices(part);
}
