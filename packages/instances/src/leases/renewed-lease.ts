/** A lease that this instance wants: taken as soon as it is free, and renewed while it is held. */

import type { Clock } from '@callsign/core';

import type { Lease, Leases } from './leases.js';

interface RenewedLeaseOptions {
  readonly leases: Leases;
  readonly name: string;
  /** The id of this instance. */
  readonly holder: string;
  readonly clock: Clock;
  /** How long the lease lasts without renewal. Default: 15 s. */
  readonly ms?: number;
  /** Called when this instance becomes the holder. */
  readonly onAcquired: (lease: Lease) => void;
  /**
   * Called when it stops being the holder. Stop the work at once: another instance may start it
   * now.
   */
  readonly onLost: (lease: Lease) => void;
}

/** The default of `RenewedLeaseOptions.ms`. */
export const LEASE_MS = 15_000;
/** How often a lease is asked for or renewed within its time. */
const TRIES = 5;
/** The holder stops this share of the time early, in case clocks run at different speeds. */
const MARGIN = 0.05;

/** Starts asking for the lease at once. Call `close` when it is not wanted any more. */
export class RenewedLease {
  readonly #options: RenewedLeaseOptions;
  readonly #ms: number;
  #lease: Lease | undefined;
  /** On our clock. From then on the lease counts as lost. */
  #until = 0;
  #isOpen = true;
  #isWanted = true;
  #isAsking = false;
  #cancelTry: (() => void) | undefined;
  #cancelEnd: (() => void) | undefined;

  constructor(options: RenewedLeaseOptions) {
    this.#options = options;
    this.#ms = options.ms ?? LEASE_MS;
    void this.#try();
  }

  /**
   * The lease while this instance holds it. Does not ask the store, so it may be read for every
   * call.
   */
  get lease(): Lease | undefined {
    return this.#lease && this.#options.clock.now() < this.#until ? this.#lease : undefined;
  }

  /** Asks now instead of at the next turn, since the lease is said to be free. */
  poke(): void {
    if (!this.#isOpen || !this.#isWanted || this.#isAsking || this.#lease) return;
    this.#cancelTry?.();
    void this.#try();
  }

  /** Takes the lease no more. A lease that is held is renewed until `close`. */
  resign(): void {
    this.#isWanted = false;
  }

  /** Gives the lease up. The caller has stopped using it before. */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#cancelTry?.();
    this.#cancelEnd?.();
    const lease = this.#lease;
    this.#lease = undefined;
    // If the store cannot be reached, the lease expires.
    if (lease) await this.#options.leases.release(lease).catch(() => {});
  }

  async #try(): Promise<void> {
    const { leases, name, holder, clock } = this.#options;
    // Read before asking: the store's time starts later than ours, so ours ends first.
    const asked = clock.now();
    const before = this.#lease;
    if (!before && !this.#isWanted) return;
    this.#isAsking = true;
    try {
      if (!before) this.#got(await leases.take(name, holder, this.#ms), asked);
      else if (await leases.renew(before, this.#ms)) this.#extend(before, asked);
      else this.#lose(before);
    } catch {
      // The store cannot be reached. A lease that we hold stays ours until its time is over.
    }
    this.#isAsking = false;
    if (this.#isOpen) this.#cancelTry = clock.after(this.#ms / TRIES, () => void this.#try());
  }

  #got(lease: Lease | undefined, asked: number): void {
    if (!lease) return;
    // An answer that took longer than the lease brings a lease that is over already.
    if (!this.#isOpen || !this.#isWanted || !this.#isInTime(asked)) {
      this.#options.leases.release(lease).catch(() => {});
      return;
    }
    this.#lease = lease;
    this.#extend(lease, asked);
    this.#options.onAcquired(lease);
  }

  #extend(lease: Lease, asked: number): void {
    // The lease ended while we asked. That was reported, and the next turn takes a new one.
    if (this.#lease !== lease) return;
    this.#until = this.#end(asked);
    this.#cancelEnd?.();
    const left = this.#until - this.#options.clock.now();
    this.#cancelEnd = this.#options.clock.after(Math.max(0, left), () => this.#lose(lease));
  }

  #end(asked: number): number {
    return asked + this.#ms * (1 - MARGIN);
  }

  #isInTime(asked: number): boolean {
    return this.#options.clock.now() < this.#end(asked);
  }

  #lose(lease: Lease): void {
    if (this.#lease !== lease) return;
    this.#lease = undefined;
    this.#cancelEnd?.();
    this.#options.onLost(lease);
  }
}
