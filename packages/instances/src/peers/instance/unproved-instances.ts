/**
 * Finds instances of the directory that do not prove that they know the secrets. No instance sends anything to them,
 * because no connection to them can be opened. They are found early, so that no client has to wait for one, and so that
 * the operator hears of them.
 */

import type { Instance } from '../../directory/instance-directory.js';
import { isRefusedHandshake } from '../network/peer-tls.js';

interface UnprovedOptions {
  /** The id of this instance. */
  readonly self: string;
  /** The instances of the directory that say how to reach them. */
  readonly listed: () => readonly Instance[];
  /** Opens a connection to an instance. Rejects if that fails. */
  readonly connect: (instance: Instance) => Promise<unknown>;
  /** Reports one. `id`: who it says it is. */
  readonly report: (id: string, address: string) => void;
}

/** How often one of them is asked again, since it may have got the right secrets. */
const AGAIN_MS = 5_000;
/** At most one report in this time about programs that have connected to this instance. There can be any number. */
const QUIET_MS = 60_000;

export class UnprovedInstances {
  readonly #options: UnprovedOptions;
  /** Instances that were asked for a proof. */
  readonly #asked = new Set<string>();
  /** Instances that have failed to give it. */
  readonly #found = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #quietUntil = 0;

  constructor(options: UnprovedOptions) {
    this.#options = options;
  }

  has(id: string): boolean {
    return this.#found.has(id);
  }

  /** Asks the instances that are new in the directory, and forgets those that have left it. */
  look(): void {
    const { self, listed } = this.#options;
    const ids = new Set(listed().map(({ id }) => id));
    for (const set of [this.#asked, this.#found]) {
      for (const id of set) if (!ids.has(id)) set.delete(id);
    }
    for (const instance of listed()) {
      if (instance.id === self || this.#asked.has(instance.id)) continue;
      this.#asked.add(instance.id);
      void this.#ask(instance);
    }
  }

  /** Asks all instances again, with other secrets. */
  lookAgain(): void {
    this.#asked.clear();
    this.look();
  }

  /**
   * A program that says that it is an instance has connected here and proved nothing. It may use the id of an instance that
   * is none of them, so this is only reported.
   */
  connected(id: string, address: string): void {
    if (performance.now() < this.#quietUntil) return;
    this.#quietUntil = performance.now() + QUIET_MS;
    this.#options.report(id, address);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  async #ask(instance: Instance): Promise<void> {
    const { connect, report } = this.#options;
    const { id, address } = instance;
    try {
      await connect(instance);
      this.#found.delete(id);
    } catch (error) {
      if (!isRefusedHandshake(error)) return void this.#asked.delete(id);
      if (!this.#found.has(id)) report(id, address);
      this.#found.add(id);
      this.#askAgainLater();
    }
  }

  #askAgainLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      for (const id of this.#found) this.#asked.delete(id);
      this.look();
    }, AGAIN_MS).unref();
  }
}
