/**
 * News between instances: short texts on a topic, told at once where that works. News may be lost, so what it
 * says can always be found in a store too: a listener reads the store when news comes, and now and then.
 */

export interface News {
  /** Tells all instances, this one included. Fails if the news cannot be sent. At most 7,000 bytes. */
  publish(topic: string, text: string): Promise<void>;
  /** Listens to a topic. The text is empty if news may have been missed. Returns a function that ends it. */
  subscribe(topic: string, listener: (text: string) => void): () => void;
  /** False while news may be missed. Listeners then read the store more often. */
  readonly isLive: boolean;
}
