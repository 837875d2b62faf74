/** Time, handed in: this room has none of its own, and tests turn the hands. */

export interface Clock {
  /** Milliseconds since some fixed moment; never goes back. */
  now(): number;
  /** Runs something later. Returns how to call it off. */
  after(ms: number, run: () => void): () => void;
}
