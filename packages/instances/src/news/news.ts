/**
 * News between instances: short texts on a topic, delivered at once where possible. News may be
 * lost, so what it says can always be found in a store too. A listener reads the store when news
 * comes, and at intervals.
 */

/** Implemented in memory and in Postgres. */
export interface News {
  /**
   * Sends to all instances, this one included. Rejects if the news cannot be sent. At most 7,000
   * bytes.
   */
  publish(topic: string, text: string): Promise<void>;
  /**
   * Listens to a topic. An empty text means that news may have been missed. Returns a function that
   * stops it.
   */
  subscribe(topic: string, listener: (text: string) => void): () => void;
  /** False while news may be missed. Listeners should then read the store more often. */
  readonly isLive: boolean;
}
