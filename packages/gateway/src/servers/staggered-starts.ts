/**
 * Starts servers one after the other, with a turn of the event loop between two of them: to start a process
 * blocks this one for a moment, and with many servers clients would wait for the sum of these moments.
 */
export class StaggeredStarts {
  readonly #waiting: (() => void)[] = [];
  #isRunning = false;

  add(start: () => void): void {
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
