/**
 * Where the tokens of sign-ins are kept: in a file of this user, or in a store that instances
 * share.
 */

import type { RemoteEntry, SignInRecord } from './sign-in-record.js';

/**
 * Implemented as a file and in Postgres. A sign-in belongs to one address, so another address under
 * the same key finds nothing.
 */
export interface SignInStore {
  /** Rejects, with advice, if tokens could not be stored. */
  probe(): Promise<void>;
  find(server: RemoteEntry): Promise<SignInRecord | undefined>;
  /** Distinguishes sign-ins without their tokens, which change. `undefined`: there is none. */
  holder(server: RemoteEntry): string | undefined;
  save(record: SignInRecord): Promise<void>;
  remove(server: RemoteEntry): Promise<void>;
  /**
   * Runs `run` while no other process does something for this server. Other servers are not
   * affected.
   */
  alone<T>(server: RemoteEntry, run: () => Promise<T>): Promise<T>;
  /** Calls back when a user may have signed in or out. Returns a function that stops it. */
  watch(listener: () => void): () => void;
}
