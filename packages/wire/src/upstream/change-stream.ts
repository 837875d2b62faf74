/** The stream of changes of a stateless server, which reports no changes otherwise. */

import { memberText } from '@callsign/core';
import { LISTS, restartDelay, UPSTREAM_ERROR } from '@callsign/rpc';

import type { Connection } from './connection.js';

/** Some hosts end every stream after some seconds. The pauses get longer if a stream ends early. */
const PAUSES = { initialMs: 1_000, maxMs: 60_000, giveUpAfter: Infinity };
const EARLY_MS = 30_000;

/**
 * Listens as long as the connection is open. `meta`: the `_meta` of our requests, as JSON text. `onMissed`: called when
 * it listens again after a pause, in which no change was reported.
 */
export function listenForChanges(connection: Connection, meta: string, onMissed: () => void): void {
  const wish = Object.fromEntries(LISTS.map(({ flag }) => [flag, true]));
  const params = `{"notifications":${JSON.stringify(wish)},"_meta":${meta}}`;
  let earlyEnds = 0;
  const listen = (): void => {
    const openedAt = performance.now();
    connection.listen('subscriptions/listen', params, (reply) => {
      // An error of the server itself is final. Anything else is a broken stream.
      const isRefused = !reply.ok && memberText(reply.json, 'code') !== String(UPSTREAM_ERROR);
      if (isRefused || connection.isClosed) return;
      earlyEnds = performance.now() - openedAt < EARLY_MS ? earlyEnds + 1 : 0;
      setTimeout(again, restartDelay(Math.max(1, earlyEnds), PAUSES)).unref();
    });
  };
  const again = (): void => {
    if (connection.isClosed) return;
    listen();
    onMissed();
  };
  listen();
}
