/** Finds what a refused call named, for its record. The caller must not learn of it. */

import { KINDS, type Call, type Kind, type Source } from '@callsign/core';

import { inSlices } from '../rpc/stream/in-slices.js';
import { CALL_KINDS } from './call-kinds.js';

/** The call with its target, if its name belongs to an item that the caller may not see. */
export async function withHidden(call: Call, view: Source): Promise<Call> {
  for (const kind of kindsOf(call.method)) {
    const work = view.hidden?.(kind, call.name);
    const target = work && (await inSlices(work));
    if (target) return call.with({ target });
  }
  return call;
}

/** The method of a completion, or of an unknown extension, does not say what it names. */
function kindsOf(method: string): readonly Kind[] {
  const kind = CALL_KINDS.get(method);
  return kind === undefined ? KINDS : [kind];
}
