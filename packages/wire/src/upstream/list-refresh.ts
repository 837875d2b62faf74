/** Fetches changed lists: once per burst of changes, at most twice per second, one at a time. */

import type { Kind } from '@callsign/core';

/** Changes come in bursts. The lists are fetched once for a whole burst. */
const GATHER_MS = 20;
/** A server whose lists change all the time is asked twice per second. */
const PAUSE_MS = 500;

export interface ListRefreshOptions {
  /** Whether the server can be asked now. */
  readonly isReady: () => boolean;
  /** Fetches and publishes the lists of some kinds. `announced`: those that the server said have changed. Never rejects. */
  readonly fetch: (kinds: readonly Kind[], announced: readonly Kind[]) => Promise<void>;
}

export class ListRefresh {
  readonly #options: ListRefreshOptions;
  readonly #stale = new Set<Kind>();
  readonly #announced = new Set<Kind>();
  #isRunning = false;
  #fetchedAt = -Infinity;

  constructor(options: ListRefreshOptions) {
    this.#options = options;
  }

  /** Drops noted changes, because all lists are about to be fetched. */
  clear(): void {
    this.#stale.clear();
    this.#announced.clear();
  }

  /** Notes lists that have changed, or may have. They are fetched as soon as the server is ready. */
  note(kinds: readonly Kind[], isAnnounced = true): void {
    for (const kind of kinds) {
      this.#stale.add(kind);
      if (isAnnounced) this.#announced.add(kind);
    }
    if (this.#stale.size === 0 || this.#isRunning || !this.#options.isReady()) return;
    this.#isRunning = true;
    const wait = Math.max(GATHER_MS, this.#fetchedAt + PAUSE_MS - performance.now());
    setTimeout(() => void this.#run(), wait);
  }

  async #run(): Promise<void> {
    const [kinds, announced] = [[...this.#stale], [...this.#announced]];
    this.clear();
    this.#fetchedAt = performance.now();
    await this.#options.fetch(kinds, announced);
    this.#isRunning = false;
    this.note([]);
  }
}
