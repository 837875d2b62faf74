/** The stream of changes of a stateless server, which reports no changes otherwise. */

import { keepListening } from '../rpc/message/kept-stream.js';
import { LISTS } from '../rpc/message/protocol.js';
import type { Connection } from './connection.js';

/** `meta`: the `_meta` of our requests, as JSON text. `onMissed`: changes may have been missed. */
export function listenForChanges(connection: Connection, meta: string, onMissed: () => void): void {
  const wish = Object.fromEntries(LISTS.map(({ flag }) => [flag, true]));
  const params = `{"notifications":${JSON.stringify(wish)},"_meta":${meta}}`;
  keepListening(connection, { params, onMissed });
}
