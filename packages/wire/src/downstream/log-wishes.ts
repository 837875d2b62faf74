/** The log levels that clients want. A server logs for all of them, so it is asked for the most talkative one. */

import type { Hub } from '@callsign/core';

import { logs, type LogLevel } from './log-level.js';

const wishesOf = new WeakMap<Hub, Map<object, LogLevel>>();

/** Notes what a client wants, or that it wants nothing any more, and tells the servers if that changes their level. */
export function wishLogLevel(hub: Hub, client: object, level: LogLevel | undefined): void {
  const wishes = wishesOf.get(hub) ?? new Map<object, LogLevel>();
  wishesOf.set(hub, wishes);
  const before = logs.lowest(wishes.values());
  if (level === undefined) wishes.delete(client);
  else wishes.set(client, level);
  const after = logs.lowest(wishes.values());
  if (after !== undefined && after !== before) {
    hub.tell('logging/setLevel', JSON.stringify({ level: after }));
  }
}
