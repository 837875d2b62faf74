/** Interceptors around calls: limits, timeouts, retries, decisions, records. */

import type { Call } from '../call/call.js';
import type { Reply } from '../call/reply.js';
import type { Route } from '../call/route.js';

/** Sends the call, or a call derived from it with `call.with`. */
export type Next = (call?: Call) => Promise<Reply>;

/**
 * Handles a call: replies itself, or calls `next`, possibly several times (retries). Check the
 * decisions again (`context.recheck`) after any wait.
 */
export type Interceptor = (call: Call, next: Next) => Promise<Reply>;

/** A route behind interceptors; the first is outermost. No interceptors: the route itself. */
export function intercept(route: Route, interceptors: readonly Interceptor[]): Route {
  return interceptors.reduceRight<Route>(
    (inner, interceptor) => ({
      ...(route.item ? { item: route.item } : {}),
      send(call) {
        try {
          return interceptor(call, (other = call) => inner.send(other));
        } catch (error) {
          // Callers get a rejected promise, never an exception.
          return Promise.reject(error);
        }
      },
    }),
    route,
  );
}
