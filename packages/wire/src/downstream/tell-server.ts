/** Requests about resources that the gateway makes itself. */

import type { Caller, Reply, Source } from '@callsign/core';

import { readMessage } from '../rpc/message/message.js';
import { replyOf } from '../rpc/message/rpc-error.js';
import { prepareCall } from './prepared-call.js';

/** Subscribes or unsubscribes at a server for the gateway. Never rejects. `undefined`: no server has it. */
export async function tellServer(
  method: 'resources/subscribe' | 'resources/unsubscribe',
  uri: string,
  view: Source,
  caller: Caller,
): Promise<Reply | undefined> {
  const message = readMessage(`{"method":"${method}","params":{"uri":${JSON.stringify(uri)}}}`)!;
  const prepared = prepareCall(message, method, view, caller);
  return 'reply' in prepared ? undefined : prepared.route.send(prepared.call).catch(replyOf);
}
