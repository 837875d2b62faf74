/** Who may read metrics. Metrics name servers and tools that a caller may not be allowed to see. */

import type { Principal } from '@callsign/core';

import type { RolesSettings } from './roles-settings.js';

/** Without roles every caller may. With roles, only callers with a role that says so. */
export function mayReadMetrics(
  { roles, access }: RolesSettings,
  principal: Principal | undefined,
): boolean {
  if (roles === undefined) return true;
  const held = principal === undefined ? access.anonymous : principal.roles;
  return held.some((name) => Object.hasOwn(roles, name) && roles[name]!.metrics === true);
}
