/**
 * Tells whether the machine's clock may be trusted for deleting by age. A clock that was just
 * set may not.
 */

/** A difference that no ordinary clock correction makes. */
const JUMP_MS = 60_000;
const STEADY_MS = 10 * 60_000;

export class SteadyClock {
  #ahead: number | undefined;
  #since = 0;

  /**
   * Call it often. True if the clock has not jumped for ten minutes. Sleep of the machine counts as
   * a jump.
   */
  look(now: number = Date.now(), moment: number = performance.now()): boolean {
    const ahead = now - moment;
    if (this.#ahead === undefined || Math.abs(ahead - this.#ahead) > JUMP_MS) {
      this.#ahead = ahead;
      this.#since = moment;
    }
    return moment - this.#since >= STEADY_MS;
  }
}
