/** What a server's notifications say, as far as we act on them. */

import { memberText, type Kind } from '@callsign/core';

import { LISTS } from '@callsign/rpc';

/** The kinds whose list a notification declares stale; none for any other notification. */
export function changedKinds(method: string): readonly Kind[] {
  return LISTS.find(({ notification }) => notification === method)?.kinds ?? [];
}

/** The resource that a notification is about. */
export function readUri(params: string): string {
  const text = memberText(params, 'uri');
  const uri: unknown = text === undefined ? '' : JSON.parse(text);
  return typeof uri === 'string' ? uri : '';
}
