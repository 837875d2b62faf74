/** The route to an item by an old name. */

import type { Entry } from '../source/entry.js';
import { withMeta } from '../call/reply.js';
import type { Route } from '../call/route.js';

/** Old names still work, with a warning. */
export function deprecated(
  route: Route,
  { canonical }: Entry,
  called: string,
  name: string = canonical,
): Route {
  const notice = `"${called}" is an old name of ${canonical}; call it ${name}.`;
  return {
    ...route,
    send: async (call) => withMeta(await route.send(call), 'callsign/deprecated', notice),
  };
}
