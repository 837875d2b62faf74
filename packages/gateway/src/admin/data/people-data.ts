/** People's sign-ins and accounts in the admin API. */

import type { ShownAccount, ShownSignIn } from '../../auth/shown-people.js';

export type { ShownAccount, ShownSignIn };

/** `GET /people`. */
export interface PeopleData {
  readonly signIns: readonly ShownSignIn[];
  readonly accounts: readonly ShownAccount[];
}
