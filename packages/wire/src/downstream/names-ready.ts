/** Renders the names of a view in slices before a call needs them, once for all callers. */

import type { Slices, Source } from '@callsign/core';

import { inSlices } from '../rpc/stream/in-slices.js';
import { CALL_KINDS } from './call-kinds.js';

const running = new WeakMap<Source, Promise<void>>();

/** Resolves when a call of this method can be routed at once. `undefined`: it can be now. */
export function namesReady(view: Source, method: string | undefined): Promise<void> | undefined {
  const kind = CALL_KINDS.get(method ?? '');
  const work = kind && view.prepareNames?.(kind);
  if (!work) return undefined;
  const known = running.get(view);
  if (known) return known;
  const naming = render(view, work);
  running.set(view, naming);
  return naming;
}

/** Never rejects: a call that cannot be routed gets its own error. */
async function render(view: Source, work: Slices<void>): Promise<void> {
  try {
    await inSlices(work);
  } catch {
    // The names are rendered once more, for the call.
  } finally {
    running.delete(view);
  }
}
