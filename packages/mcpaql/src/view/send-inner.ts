/** Calls one operation of a server for the caller of a view. */

import type { Call, Reply } from '@callsign/core';

import { innerCall } from '../protocol/inner-call.js';
import { ProtocolError } from '../protocol/protocol-error.js';
import type { OperationSource } from './operation-source.js';

export function sendInner(
  source: OperationSource,
  name: string,
  params: string,
  outer: Call,
): Promise<Reply> {
  const route = source.route(name);
  if (!route) {
    const message = `The server has taken '${name}' away; 'introspect' lists what is left.`;
    throw new ProtocolError('NOT_FOUND_OPERATION', message, { operation: name });
  }
  const inner = innerCall(outer, name, params);
  outer.context.onCancel((reason) => inner.context.cancel(reason));
  return route.send(inner);
}
