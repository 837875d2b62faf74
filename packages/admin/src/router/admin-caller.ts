/** Who uses the admin API: an operator sees and decides, a viewer only sees. */

import type { ConsoleAccessLevel } from '@callsign/auth';
import type { Principal } from '@callsign/core';

export interface AdminCaller {
  readonly role: ConsoleAccessLevel;
  /** Who signed in with an API key. Unset: the user who runs the gateway. */
  readonly principal?: Principal;
}

/** The user who runs the gateway. Only this user can open its socket. */
export const OWNER: AdminCaller = { role: 'operator' };
