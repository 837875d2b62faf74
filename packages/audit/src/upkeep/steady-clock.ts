/** F13: tells whether the machine's clock can be trusted to delete by age. A clock that was set just now cannot. */

/** A difference that no ordinary correction makes. */
const JUMP_MS = 60_000;
const STEADY_MS = 10 * 60_000;

export class SteadyClock {
  #ahead: number | undefined;
  #since = 0;

  /** Look often. True if the clock has not jumped for ten minutes; sleep of the machine counts as a jump. */
  look(now: number = Date.now(), moment: number = performance.now()): boolean {
    const ahead = now - moment;
    if (this.#ahead === undefined || Math.abs(ahead - this.#ahead) > JUMP_MS) {
      this.#ahead = ahead;
      this.#since = moment;
    }
    return moment - this.#since >= STEADY_MS;
  }
}
