/** Messages about resources that no client sent. */

import type { Caller, Reply, Source } from '@callsign/core';

import { readMessage } from '@callsign/rpc';
import { prepareCall } from './surface.js';

/** Subscribes to a resource at its server, or unsubscribes, without a request from a client. */
export async function tellServer(
  method: 'resources/subscribe' | 'resources/unsubscribe',
  uri: string,
  view: Source,
  caller: Caller,
): Promise<Reply | undefined> {
  const message = readMessage(`{"method":"${method}","params":{"uri":${JSON.stringify(uri)}}}`)!;
  const prepared = prepareCall(message, method, view, caller);
  return 'reply' in prepared ? undefined : prepared.route.send(prepared.call);
}
