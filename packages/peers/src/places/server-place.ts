/** Where one server runs: on the instance that holds its lease, which may be this one. */

import type { Clock, Log } from '@callsign/core';
import { KeptLease, leaseName, type Instance, type Lease } from '@callsign/instances';

import type { BridgedLeases } from './bridged-leases.js';

export type Whereabouts =
  | { readonly at: 'here'; readonly fence: number }
  | { readonly at: 'there'; readonly instance: Instance; readonly fence: number };

export interface ServerPlaceOptions {
  /** The server's key. */
  readonly key: string;
  /** The id of this instance. */
  readonly self: string;
  readonly leases: BridgedLeases;
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly log: Log;
  /** Whether another instance answers. */
  readonly reaches: (instance: Instance) => Promise<boolean>;
  /** Called when this instance has taken or released the lease, to tell the others. */
  readonly onChange: () => void;
}

/** How long to wait before asking an instance again that did not answer. */
const ASK_AGAIN_MS = 250;

export class ServerPlace {
  readonly #options: ServerPlaceOptions;
  readonly #lease: KeptLease;
  readonly #waiting = new Set<() => void>();
  readonly #movers = new Set<() => void>();
  #known: Whereabouts | undefined;
  #isOpen = true;

  constructor(options: ServerPlaceOptions) {
    this.#options = options;
    const { key, self, leases, clock, leaseMs, onChange } = options;
    this.#lease = new KeptLease({
      leases,
      name: leaseName(key),
      holder: self,
      clock,
      ms: leaseMs,
      onHeld: ({ fence }) => {
        this.#become({ at: 'here', fence });
        onChange();
      },
      onLost: () => this.#become(undefined),
    });
  }

  /** The fence of our lease; `undefined` while another instance may hold it. Reads only the clock. */
  get fence(): number | undefined {
    const { lease } = this.#lease;
    return lease && this.#options.leases.current(lease).fence;
  }

  /**
   * Calls `run` when the server must be reached in another way. `where` says how, or waits until that is known.
   * Returns a function that stops watching and returns the number of remaining watchers.
   */
  watch(run: () => void): () => number {
    this.#movers.add(run);
    return () => {
      this.#movers.delete(run);
      return this.#movers.size;
    };
  }

  /** Resolves when the server can be reached, here or on another instance. Rejects after `close`. */
  async where(): Promise<Whereabouts> {
    while (this.#isOpen) {
      const known = this.#known;
      if (known?.at === 'here') return known;
      if (known && (await this.#options.reaches(known.instance)) && this.#known === known) {
        return known;
      }
      if (this.#known === known) await this.#change(known ? ASK_AGAIN_MS : undefined);
    }
    throw new Error('closed');
  }

  /** Takes the state of the lease in the store. `instance` is its holder, if that instance runs. */
  learn(lease: Lease | undefined, instance: Instance | undefined): void {
    if (!this.#isOpen || this.#known?.at === 'here') return;
    if (!lease) this.#lease.poke();
    const isOther = lease && instance && lease.holder !== this.#options.self;
    if (!isOther) {
      if (this.#known) this.#become(undefined);
      return;
    }
    const { fence } = lease;
    if (this.#known?.fence !== fence) this.#become({ at: 'there', instance, fence });
  }

  /** The connection to the holder broke. If it does not answer, calls wait for the next holder. */
  async suspect(): Promise<void> {
    const known = this.#known;
    if (known?.at !== 'there' || (await this.#options.reaches(known.instance))) return;
    if (this.#known === known && this.#isOpen) this.#move();
  }

  /** Releases the lease. The server must have been stopped before. */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    const wasHere = this.#known?.at === 'here';
    this.#isOpen = false;
    this.#known = undefined;
    await this.#lease.close();
    for (const wake of this.#waiting) wake();
    if (wasHere) this.#options.onChange();
  }

  #become(known: Whereabouts | undefined): void {
    if (!this.#isOpen) return;
    const { log, key } = this.#options;
    const wasKnown = this.#known !== undefined;
    this.#known = known;
    if (known?.at === 'here') log('info', `[${key}] runs on this instance`);
    for (const wake of this.#waiting) wake();
    // The first time, the server waits in `where` and need not move.
    if (wasKnown) this.#move();
  }

  #move(): void {
    for (const run of this.#movers) run();
  }

  /** Resolves at the next change, or after a time. */
  #change(ms: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const cancel = ms === undefined ? undefined : this.#options.clock.after(ms, () => wake());
      const wake = (): void => {
        cancel?.();
        this.#waiting.delete(wake);
        resolve();
      };
      this.#waiting.add(wake);
    });
  }
}
