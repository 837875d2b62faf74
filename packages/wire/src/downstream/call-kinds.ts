/** The kind of item that a call names, by method. */

import type { Kind } from '@callsign/core';

export const CALL_KINDS: ReadonlyMap<string, Kind> = new Map([
  ['tools/call', 'tool'],
  ['prompts/get', 'prompt'],
  ['resources/read', 'resource'],
  ['resources/subscribe', 'resource'],
  ['resources/unsubscribe', 'resource'],
]);
