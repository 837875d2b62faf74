/** Things that stand in the way of a call, on purpose: audit, policy, limits, time, retry. */

import type { Call } from './call.js';
import type { Reply } from './reply.js';
import type { Route } from './source.js';

export type Next = () => Promise<Reply>;

/** Sees the call go and the reply come; answers by itself, or asks `next`, once or again. */
export type Interceptor = (call: Call, next: Next) => Promise<Reply>;

/** A route behind interceptors, the first one outermost. Without any it is the route itself. */
export function intercept(route: Route, interceptors: readonly Interceptor[]): Route {
  return interceptors.reduceRight<Route>(
    (inner, interceptor) => ({
      ...(route.item ? { item: route.item } : {}),
      send(call) {
        try {
          return interceptor(call, () => inner.send(call));
        } catch (error) {
          // Whoever waits for a promise must not have to catch as well.
          return Promise.reject(error);
        }
      },
    }),
    route,
  );
}
