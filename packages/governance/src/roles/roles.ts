/**
 * Roles: who may see and call what. Hints of servers do not count, since they are not access
 * control.
 */

import type { Principal, Target } from '@callsign/core';

import { type Reach, reachOf } from '../reach/reach.js';
import { createSets } from '../sets/sets.js';
import type { RolesSettings } from './roles-settings.js';

/** The compiled roles of a configuration. */
export interface Roles {
  /**
   * Whether a caller may see and use an item. `principal` is `undefined` for a caller without a
   * credential.
   */
  sees(principal: Principal | undefined, target: Target): boolean;
}

/** The roles that allow or deny one item. */
interface Grants {
  readonly allowed: ReadonlySet<string>;
  readonly denied: ReadonlySet<string>;
}

/** `undefined`: no roles are configured, so every caller may use everything. */
export function createRoles({ roles, access, sets: settings }: RolesSettings): Roles | undefined {
  if (roles === undefined) return undefined;
  const sets = createSets(settings);
  const reaches = Object.entries(roles).map(([name, { set, ...role }]) => {
    const reach = reachOf(role);
    const isIn = (target: Target): boolean => set === undefined || sets.contains(set, target);
    return { name, ...narrowed(reach, isIn) };
  });
  const known = new WeakMap<Target, Grants>();

  const grantsOf = (target: Target): Grants => {
    const before = known.get(target);
    if (before) return before;
    const grants: Grants = {
      allowed: new Set(reaches.flatMap(({ name, allows }) => (allows(target) ? name : []))),
      denied: new Set(reaches.flatMap(({ name, denies }) => (denies(target) ? name : []))),
    };
    known.set(target, grants);
    return grants;
  };

  return {
    sees(principal, target) {
      try {
        const held = principal === undefined ? access.anonymous : principal.roles;
        const { allowed, denied } = grantsOf(target);
        if (held.some((role) => denied.has(role))) return false;
        if (target.isSignIn)
          return reaches.some(
            ({ name, reachesServer }) => held.includes(name) && reachesServer(target),
          );
        // The tools behind a view are allowed one by one.
        return target.isView === true || held.some((role) => allowed.has(role));
      } catch {
        // A check that fails denies access.
        return false;
      }
    },
  };
}

/** A set narrows what a role allows. What the role denies stays denied. */
function narrowed(reach: Reach, isIn: (target: Target) => boolean): Reach {
  return {
    ...reach,
    allows: (target) => reach.allows(target) && isIn(target),
    reachesServer: (target) => reach.reachesServer(target) && isIn(target),
  };
}
