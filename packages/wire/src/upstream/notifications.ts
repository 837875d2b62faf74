/** What a server's notifications say, as far as we act on them. */

import { memberText, type Kind } from '@callsign/core';

const CHANGES: ReadonlyMap<string, readonly Kind[]> = new Map([
  ['notifications/tools/list_changed', ['tool']],
  ['notifications/prompts/list_changed', ['prompt']],
  ['notifications/resources/list_changed', ['resource', 'template']],
]);

/** Every notification that declares a list stale. */
export const CHANGE_NOTIFICATIONS: readonly string[] = [...CHANGES.keys()];

/** The kinds whose list a notification declares stale; none for any other notification. */
export function changedKinds(method: string): readonly Kind[] {
  return CHANGES.get(method) ?? [];
}

/** The resource that a notification is about. */
export function readUri(params: string): string {
  const text = memberText(params, 'uri');
  const uri: unknown = text === undefined ? '' : JSON.parse(text);
  return typeof uri === 'string' ? uri : '';
}
