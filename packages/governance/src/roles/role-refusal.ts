/** Says why the roles refuse an item, for people. */

import type { Principal, Target } from '@callsign/core';

import { createRoles, operatorsRisk } from './roles.js';
import type { RolesSettings } from './roles-settings.js';

/** `undefined`: they do not refuse it. `principal` is `undefined` for a caller without a key. */
export function roleRefusal(
  settings: RolesSettings,
  principal: Principal | undefined,
  target: Target,
): string | undefined {
  if (createRoles(settings)?.sees(principal, target) !== false) return undefined;
  const refusal = `callsign.roles does not allow it for ${whoIs(principal)}`;
  const atAnyRisk = Object.entries(settings.roles ?? {}).map(([name, role]) => {
    return [name, { ...role, maxRisk: 'destructive' }] as const;
  });
  const loose = createRoles({ ...settings, roles: Object.fromEntries(atAnyRisk) });
  return loose?.sees(principal, target)
    ? `${refusal}; maxRisk counts only your annotations, and by those it is ${operatorsRisk(target)}`
    : refusal;
}

function whoIs(principal: Principal | undefined): string {
  if (principal === undefined) return 'callers without a key (access.anonymous)';
  const names = principal.roles.join(', ');
  return principal.roles.length === 1 ? `the role ${names}` : `the roles ${names}`;
}
