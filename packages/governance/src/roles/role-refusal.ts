/** Says why the roles refuse an item, for people. */

import type { Principal, Target } from '@callsign/core';

import { operatorsRisk } from '../reach/reach.js';
import { createRoles } from './roles.js';
import type { Role, RolesSettings } from './roles-settings.js';

/** `undefined`: they do not refuse it. `principal` is `undefined` for a caller without a key. */
export function roleRefusal(
  settings: RolesSettings,
  principal: Principal | undefined,
  target: Target,
): string | undefined {
  if (createRoles(settings)?.sees(principal, target) !== false) return undefined;
  const refusal = `callsign.roles does not allow it for ${whoIs(principal)}`;
  const seesWith = (change: (role: Role) => Role): boolean => {
    const loose = Object.entries(settings.roles ?? {}).map(([name, role]) => [name, change(role)]);
    const roles = Object.fromEntries(loose) as Record<string, Role>;
    return createRoles({ ...settings, roles })?.sees(principal, target) === true;
  };
  const isOutside = seesWith((role) => {
    const { set: _, ...whole } = role;
    return whole;
  });
  if (isOutside) return `${refusal}; it is not in the set of a role`;
  return seesWith((role) => ({ ...role, maxRisk: 'destructive' }))
    ? `${refusal}; maxRisk counts only your annotations, and by those it is ${operatorsRisk(target)}`
    : refusal;
}

function whoIs(principal: Principal | undefined): string {
  if (principal === undefined) return 'callers without a key (access.anonymous)';
  const names = principal.roles.join(', ');
  return principal.roles.length === 1 ? `the role ${names}` : `the roles ${names}`;
}
