/** Answers to list requests, prepared once and sent as they are until something changes. */

import type { Item, Kind, Offer } from '@callsign/core';

const MEMBERS: Readonly<Record<Kind, string>> = {
  tool: 'tools',
  prompt: 'prompts',
  resource: 'resources',
  template: 'resourceTemplates',
};

const prepared = new WeakMap<readonly Item[], string>();

/** The list as a result, without the braces around it. */
function listMember(kind: Kind, items: readonly Item[]): string {
  let text = prepared.get(items);
  if (text === undefined) {
    text = `"${MEMBERS[kind]}":[${items.map(({ json }) => json).join(',')}]`;
    prepared.set(items, text);
  }
  return text;
}

export function sessionList(kind: Kind, offer: Offer): string {
  return `{${listMember(kind, offer[kind])}}`;
}

/** In the stateless era every list says how long it may be kept: not at all, since we tell of changes. */
export function statelessList(kind: Kind, offer: Offer, meta: string): string {
  return `{"resultType":"complete","ttlMs":0,"cacheScope":"private",${listMember(kind, offer[kind])},"_meta":${meta}}`;
}
