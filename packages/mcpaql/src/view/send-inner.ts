/** Calls one operation of a server for the caller of a view. */

import type { Call, Reply } from '@callsign/core';

import { innerCall } from '../protocol/inner-call.js';
import { unknownOperation } from '../introspect/suggest-operations.js';
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
    const seen = source.operations(outer.sight).map((operation) => operation.name);
    throw unknownOperation(name, seen, advice);
  }
  const inner = innerCall(outer, name, params);
  if (route.target && route.target.ref.server !== outer.target?.ref.server) {
    outer.context.reached = route.target;
  }
  outer.context.onCancel((reason) => inner.context.cancel(reason));
  return route.send(inner);
}
