/** Notifications that a server can send without end. A client that reads too slowly does not get them. */

import type { Text } from '../rpc/stream/long-text.js';

const DROPPABLE =
  /^\{"jsonrpc":"2.0","method":"notifications\/(?:progress|message|resources\/updated|tasks)\b/;

/** Whether the client misses nothing that it cannot ask for again. */
export function isDroppable(text: Text): boolean {
  return typeof text === 'string' && DROPPABLE.test(text);
}
