/** Answers of people that all instances remember, for callers without a session: their calls may come to any. */

export interface AnswerStore {
  /** Remembers the key of an approved tool or call for some milliseconds. */
  add(who: string, key: string, ms: number): Promise<void>;
  /** Whether one of these keys is remembered. */
  has(who: string, keys: readonly string[]): Promise<boolean>;
  /** The same for one key, which is then forgotten. If several instances ask, one gets it. */
  take(who: string, key: string): Promise<boolean>;
}
