/** Who watches which resources. A server is told of every watcher that comes, and when the last one has gone. */

import type { Caller, Hub, Reply, View } from '@callsign/core';

import { readMessage } from '../message.js';
import { prepareCall } from './surface.js';

const watchersOf = new WeakMap<Hub, Map<string, Set<object>>>();

export function addWatcher(hub: Hub, uri: string, watcher: object): void {
  const watchers = watchersOf.get(hub) ?? new Map<string, Set<object>>();
  watchersOf.set(hub, watchers);
  watchers.set(uri, (watchers.get(uri) ?? new Set()).add(watcher));
}

/** True if that was the last one, so that the server may stop telling. */
export function removeWatcher(hub: Hub, uri: string, watcher: object): boolean {
  const watchers = watchersOf.get(hub);
  const those = watchers?.get(uri);
  if (!those?.delete(watcher) || those.size > 0) return false;
  watchers!.delete(uri);
  return true;
}

/** Whether anybody else watches it. */
export function hasOtherWatchers(hub: Hub, uri: string, watcher: object): boolean {
  const those = watchersOf.get(hub)?.get(uri);
  return those !== undefined && [...those].some((each) => each !== watcher);
}

/** Tells a resource's server, on nobody's request, that it is watched or no longer so. */
export async function tellServer(
  method: 'resources/subscribe' | 'resources/unsubscribe',
  uri: string,
  view: View,
  caller: Caller,
): Promise<Reply | undefined> {
  const message = readMessage(`{"method":"${method}","params":{"uri":${JSON.stringify(uri)}}}`)!;
  const prepared = prepareCall(message, method, view, caller);
  return 'reply' in prepared ? undefined : prepared.route.send(prepared.call);
}
