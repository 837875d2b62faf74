/**
 * A clock that is passed in, so that this package reads no time itself and tests can control it.
 */

/** The gateway passes the system's clock. Tests pass one that they advance themselves. */
export interface Clock {
  /** Milliseconds since a fixed moment. Never goes back. For durations: it is not the time of day. */
  now(): number;
  /** Runs something later. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
}
