/** Calls one operation of a server for the caller of a view. */

import type { Call, Reply } from '@callsign/core';

import { innerCall } from '../protocol/inner-call.js';
import { suggestOperations } from '../introspect/suggest-operations.js';
import { ProtocolError } from '../protocol/protocol-error.js';
import type { OperationSource } from './operation-source.js';

export function sendInner(
  source: OperationSource,
  name: string,
  params: string,
  outer: Call,
  /** How this view finds operations. */
  advice: string,
): Promise<Reply> {
  const route = source.route(name);
  if (!route) {
    const called = name.slice(0, 64);
    const near = suggestOperations(
      called,
      source.operations().map((each) => each.name),
    );
    const guess = near.length === 0 ? '' : ` Did you mean '${near.join("' or '")}'?`;
    const message = `The server has no operation '${called}'.${guess} ${advice}`;
    throw new ProtocolError('NOT_FOUND_OPERATION', message, {
      operation: called,
      ...(near.length === 0 ? {} : { available: near }),
    });
  }
  const inner = innerCall(outer, name, params);
  outer.context.onCancel((reason) => inner.context.cancel(reason));
  return route.send(inner);
}
