/** Where one server runs: on the instance that holds its lease, which may be this one. */

import type { Clock, Log } from '@callsign/core';
import { KeptLease, type Instance, type Lease } from '@callsign/instances';

import type { BridgedLeases } from './bridged-leases.js';

/** Where a server is. The fence tells one holder of the lease from the next. */
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
  /** Asks another instance whether it answers. */
  readonly reaches: (instance: Instance) => Promise<boolean>;
  /** Called when this instance has taken or released the lease, so that it can tell the others. */
  readonly onChange: () => void;
}

/** The pause before an instance that did not answer is asked again. */
const ASK_AGAIN_MS = 250;

/** One server. This instance tries to take the lease as long as the place is open. */
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

  /**
   * The fence of our lease; `undefined` if it may have ended. It is checked for every call, so it
   * reads nothing but the clock.
   */
  get fence(): number | undefined {
    const { lease } = this.#lease;
    return lease && this.#options.leases.current(lease).fence;
  }

  /**
   * Calls `run` whenever the server must be reached in another way; then ask `where`. Returns a
   * function that stops this and returns how many watchers are left.
   */
  watch(run: () => void): () => number {
    this.#movers.add(run);
    return () => {
      this.#movers.delete(run);
      return this.#movers.size;
    };
  }

  /**
   * Resolves as soon as the server can be reached, here or on another instance. Rejects after
   * `close`.
   */
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

  /**
   * Gets the lease as it is in the store. `instance`: the holder, if it runs. Ignored while the
   * lease is ours, because the kept lease itself reports its end.
   */
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

  /**
   * To be called when a connection to the holder breaks. If the holder does not answer, calls wait
   * for the next one.
   */
  async suspect(): Promise<void> {
    const known = this.#known;
    if (known?.at !== 'there' || (await this.#options.reaches(known.instance))) return;
    if (this.#known === known && this.#isOpen) this.#move();
  }

  /** Releases the lease. Stop the server first, since another instance may start it at once. */
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
    // Before the first answer, the server still waits in `where` and has nothing to leave.
    if (wasKnown) this.#move();
  }

  #move(): void {
    for (const run of this.#movers) run();
  }

  /** Resolves at the next change, or after `ms` milliseconds if that is given. */
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

/** The name of the lease of a server. */
export function leaseName(key: string): string {
  return `server:${key}`;
}
