/** Limits how many requests run at a time, with a bounded queue. */

/** `width` is the number of requests that run at a time. */
export class Gate {
  readonly #width: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  constructor(width: number, maxWaiting = 1_000) {
    this.#width = width;
    this.#maxWaiting = maxWaiting;
  }

  /** Runs the work when a slot is available. Cancelled work leaves the queue. */
  async run<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    await this.#enter(signal);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  async #enter(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#inside < this.#width) {
      this.#inside++;
      return;
    }
    if (this.#waiting.length >= this.#maxWaiting) {
      throw new RangeError('Too many calls are waiting for Lightdash. Try again later.');
    }
    await new Promise<void>((resolve, reject) => {
      const proceed = (): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(proceed), 1);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(proceed);
    });
  }

  /** Hands the slot to the next in the queue, so the count of running work must not change then. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#inside--;
  }
}
