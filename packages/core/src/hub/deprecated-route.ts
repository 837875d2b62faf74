/** Old names still work. Their replies carry a notice of the new name. */

import type { Entry } from '../source/entry.js';
import { withMeta } from '../call/reply.js';
import type { Route } from '../call/route.js';

/** `called`: the old name. `name`: the name to use instead. Unset: the canonical one. */
export function deprecatedRoute(
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
