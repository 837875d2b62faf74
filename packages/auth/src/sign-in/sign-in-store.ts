/** Where the tokens of sign-ins are kept: in a file of this user, or where instances share them. */

import type { RemoteEntry, SignInRecord } from './sign-in-record.js';

export interface SignInStore {
  /** Rejects, with what to do, if tokens could not be kept. */
  probe(): Promise<void>;
  find(server: RemoteEntry): Promise<SignInRecord | undefined>;
  /** Tells sign-ins apart without their tokens, which are renewed. Unset: there is none. */
  holder(server: RemoteEntry): string | undefined;
  save(record: SignInRecord): Promise<void>;
  remove(server: RemoteEntry): Promise<void>;
  /** Runs alone among all processes that do something for this server. Others go on. */
  alone<T>(server: RemoteEntry, run: () => Promise<T>): Promise<T>;
  /** Calls back when a user may have signed in or out. Returns a function that ends it. */
  watch(listener: () => void): () => void;
}
