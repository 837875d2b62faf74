/** Replies to list requests, built once and reused until the list changes. */

import type { Item, Kind, Offer, Source } from '@callsign/core';

import { inSlices } from '../rpc/stream/in-slices.js';
import { around, LongText, type Text } from '../rpc/stream/long-text.js';
import { oneLine } from '../rpc/stream/line-writer.js';

/** Characters. Longer lists are encoded once for all clients. */
const LONG = 16 * 1024;
const MEMBERS: Readonly<Record<Kind, string>> = {
  tool: 'tools',
  prompt: 'prompts',
  resource: 'resources',
  template: 'resourceTemplates',
};

/** By the array of items: an unchanged list is the same array for all clients. */
const prepared = new WeakMap<readonly Item[], Text>();

/** The member with the list, without the braces of the result. */
function listMember(kind: Kind, items: readonly Item[]): Text {
  let text = prepared.get(items);
  if (text === undefined) prepared.set(items, (text = prepare(kind, items)));
  return text;
}

function prepare(kind: Kind, items: readonly Item[]): Text {
  const text = `"${MEMBERS[kind]}":[${items.map(({ json }) => json).join(',')}]`;
  if (text.length < LONG) return text;
  return new LongText('', Buffer.from(oneLine(text)), '');
}

/** Prepares a list with pauses for other work. */
export async function prepareList(view: Source, kind: Kind): Promise<void> {
  const work = view.prepare?.(kind);
  if (work) await inSlices(work);
}

export function sessionList(kind: Kind, offer: Offer): Text {
  return around('{', listMember(kind, offer[kind]), '}');
}

/** In the stateless era every list has a cache time. It is zero, since we announce changes. */
export function statelessList(kind: Kind, offer: Offer, meta: string): Text {
  const head = '{"resultType":"complete","ttlMs":0,"cacheScope":"private",';
  return around(head, listMember(kind, offer[kind]), `,"_meta":${meta}}`);
}
