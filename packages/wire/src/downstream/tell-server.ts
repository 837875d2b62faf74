/** Messages about resources that a client did not send itself. */

import type { Caller, Reply, Source } from '@callsign/core';

import { readMessage } from '../message/message.js';
import { prepareCall } from './surface.js';

/** Tells a resource's server that it is watched, or no longer, without a request of the client. */
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
