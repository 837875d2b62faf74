/**
 * The time of day at a moment of `performance.now()`. Asking the system each time would be a tenth
 * of the cost of a record.
 */

/**
 * How long one answer of the system is used: clocks are adjusted, and machines sleep. A call that
 * starts this soon after a sleep may get the time before it.
 */
const HOLDS_MS = 5;

export class WallClock {
  #ahead = 0;
  #askAt = -Infinity;

  /** Milliseconds since 1970. Only for recent moments. */
  timeAt(moment: number): number {
    if (moment >= this.#askAt) {
      const now = performance.now();
      this.#ahead = Date.now() - now;
      this.#askAt = now + HOLDS_MS;
    }
    return moment + this.#ahead;
  }
}
