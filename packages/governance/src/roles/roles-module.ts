/** Roles as a module: who may see and call what. */

import type { Module } from '@callsign/core';

import { createRoles } from './roles.js';
import type { RolesSettings } from './roles-settings.js';

/** Has `sees` and no `decide`: a tool that a caller may not call looks as if it did not exist. */
export const rolesModule: Module<RolesSettings> = {
  name: 'roles',
  create({ settings }) {
    const roles = createRoles(settings);
    if (!roles) return undefined;
    return { sees: (principal, target) => roles.sees(principal, target), seesOnlyRoles: true };
  },
};
