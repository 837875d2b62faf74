/** What stands around calls: limits, time, retries, decisions, records. */

import type { Call } from '../call/call.js';
import type { Reply } from '../call/reply.js';
import type { Route } from '../call/route.js';

/** Sends the call on, or another one made of it with `call.with`. */
export type Next = (call?: Call) => Promise<Reply>;

/** Sees the call go and the reply come back. It answers itself, or asks `next`, once or again. */
export type Interceptor = (call: Call, next: Next) => Promise<Reply>;

/** A route behind interceptors, the first one outermost. Without any it is the route itself. */
export function intercept(route: Route, interceptors: readonly Interceptor[]): Route {
  return interceptors.reduceRight<Route>(
    (inner, interceptor) => ({
      ...(route.item ? { item: route.item } : {}),
      send(call) {
        try {
          return interceptor(call, (other = call) => inner.send(other));
        } catch (error) {
          // Callers wait for a promise; they should not have to catch as well.
          return Promise.reject(error);
        }
      },
    }),
    route,
  );
}
