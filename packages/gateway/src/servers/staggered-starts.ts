/**
 * Starts servers one after the other, with a turn of the event loop between two of them: to start a process
 * blocks this one for a moment, and with many servers clients would wait for the sum of these moments.
 */

/** Servers whose lists are remembered start so much later: first clients get these lists. */
const HEAD_START_MS = 400;

export class StaggeredStarts {
  readonly #waiting: (() => void)[] = [];
  #isRunning = false;

  /** `isRemembered`: its lists are there before it starts. */
  add(start: () => void, isRemembered: boolean): void {
    if (isRemembered) setTimeout(() => this.#queue(start), HEAD_START_MS);
    else this.#queue(start);
  }

  #queue(start: () => void): void {
    this.#waiting.push(start);
    if (this.#isRunning) return;
    this.#isRunning = true;
    setImmediate(() => this.#next());
  }

  #next(): void {
    const start = this.#waiting.shift();
    if (!start) {
      this.#isRunning = false;
      return;
    }
    start();
    setImmediate(() => this.#next());
  }
}
