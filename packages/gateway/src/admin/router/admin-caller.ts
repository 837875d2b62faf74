/** The caller of the admin API. An operator may see and change, a viewer may only see. */

import type { ConsoleAccessLevel } from '@callsign/auth';
import type { Principal } from '@callsign/core';

import { AdminError } from './admin-error.js';

export interface AdminCaller {
  readonly role: ConsoleAccessLevel;
  /** Who signed in with an API key. Default: the user who runs the gateway. */
  readonly principal?: Principal;
}

/** Throws if the caller signed in with an API key: such a caller may be on another machine. */
export function requireOwner({ principal }: AdminCaller): void {
  if (!principal) return;
  throw new AdminError(403, 'Only the user who runs the gateway may do this, on the same machine.');
}

/** The user who runs the gateway. Only this user can open its socket. */
export const OWNER: AdminCaller = { role: 'operator' };
