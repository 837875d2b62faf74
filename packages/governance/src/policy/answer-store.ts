/**
 * Answers of people that all instances remember. For callers without a session, whose calls may
 * come to any instance.
 */

/** Implemented in Postgres. An answer is found only under the `who` that it was added with. */
export interface AnswerStore {
  /** Remembers the key of an approved tool or call, for some milliseconds. */
  add(who: string, key: string, ms: number): Promise<void>;
  /** Whether one of these keys is remembered. */
  has(who: string, keys: readonly string[]): Promise<boolean>;
  /** Whether this key is remembered. It is dropped, so if several instances ask, only one gets it. */
  take(who: string, key: string): Promise<boolean>;
}
