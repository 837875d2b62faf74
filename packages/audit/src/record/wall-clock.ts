/**
 * The time at a moment of `performance.now()`. Asking the system every time would be a tenth of the cost of a
 * record.
 */

/**
 * How long one answer of the system holds: clocks are set, and machines sleep. Of a call that begins within
 * this time after a sleep that began within it, the time would be that before the sleep.
 */
const HOLDS_MS = 5;

export class WallClock {
  #ahead = 0;
  #askAt = -Infinity;

  /** In milliseconds since 1970. For moments that are not long ago. */
  timeAt(moment: number): number {
    if (moment >= this.#askAt) {
      const now = performance.now();
      this.#ahead = Date.now() - now;
      this.#askAt = now + HOLDS_MS;
    }
    return moment + this.#ahead;
  }
}
