/** Calls one operation of a server for the caller of a view. */

import { CallsignError, taskSupportOf, type Call, type Reply } from '@callsign/core';

import { innerCall } from '../protocol/inner-call.js';
import { unknownOperation } from '../introspect/suggest-operations.js';
import type { OperationSource } from './operation-source.js';

/**
 * For tools that only run as a task. In the session era a client can ask only a listed tool for a
 * task.
 */
const ADVICE =
  'Show the tools of its server as they are ("view": "flat"), or use a client of protocol 2026-07-28.';

/** Answers an operation that the caller does not see. `undefined`: to the caller it is unknown. */
export function refuseInner(
  source: OperationSource,
  name: string,
  params: string,
  outer: Call,
): Promise<Reply> | undefined {
  return source.refuse?.(innerCall(outer, name, params), outer.sight);
}

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
  const isTaskOnly = taskSupportOf(route.item?.json ?? '{}') === 'required';
  if (isTaskOnly && outer.caller.era === 'session') {
    throw new CallsignError('task-only', { tool: name, advice: ADVICE });
  }
  if (route.target && route.target.ref.server !== outer.target?.ref.server) {
    outer.context.reached = route.target;
  }
  outer.context.onCancel((reason) => inner.context.cancel(reason));
  return route.send(inner);
}
