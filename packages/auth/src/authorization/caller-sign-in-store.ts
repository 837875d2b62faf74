/** Where people's sign-ins are kept: in a file of this user, or in a store that instances share. */

import type { CallerSignInState } from './caller-sign-in-state.js';

/** Implemented as a file and in Postgres. */
export interface CallerSignInStore {
  /** Encrypts what pages carry between two requests. Every instance has the same key. */
  readonly pageKey: Uint8Array;
  /** The newest state that this process can know without waiting. The same object until it changes. Read only. */
  get(): CallerSignInState;
  /** Reads what other instances changed until now. Default: `get` knows it. */
  refresh?(): Promise<void>;
  /**
   * Changes the state, one process at a time. `change` gets a copy of the newest state and may change it. Resolves
   * when the change is stored. Rejects, with advice, if it cannot be stored.
   */
  change<T>(change: (state: CallerSignInState) => T): Promise<T>;
}
