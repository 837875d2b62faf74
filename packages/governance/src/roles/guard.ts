/** The interceptor behind the filtered lists: whatever leads to a tool, its caller must be allowed to use it. */

import { HouseError, type Interceptor } from '@callsign/core';

import type { Roles } from './roles.js';

const NOBODY = 'A caller without a credential';

export function guard(roles: Roles): Interceptor {
  return function guardRoles(call, next) {
    const target = call.target!;
    const { principal } = call.caller;
    if (roles.sees(principal, target)) return next();
    const caller = principal?.name ?? NOBODY;
    throw new HouseError('access-denied', { caller, tool: target.canonical });
  };
}
