/** The entry of an item of which only the name is known. */

import type { ToolRef } from '@callsign/naming';

import { createEntry } from '../source/create-entry.js';
import type { Entry } from '../source/entry.js';
import type { Kind } from '../call/kind.js';

export function unlistedEntry(kind: Kind, ref: ToolRef): Entry {
  const item = { name: ref.tool, json: '{}' };
  const send = (): never => {
    throw new RangeError(`${ref.tool} is not listed`);
  };
  return createEntry({ kind, ref, item, route: { item, send }, displayName: ref.server });
}
