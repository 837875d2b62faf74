/** A lease that one instance wants: taken as soon as it is free, renewed while it is held. */

import type { Clock } from '@callsign/core';

import type { Lease, Leases } from './leases.js';

export interface KeptLeaseOptions {
  readonly leases: Leases;
  readonly name: string;
  /** The id of this instance. */
  readonly holder: string;
  readonly clock: Clock;
  /** How long the lease lasts without being renewed. Default: 15 seconds. */
  readonly ms?: number;
  /** Called when this instance became the holder. */
  readonly onHeld: (lease: Lease) => void;
  /** Called when it is the holder no more. The lease may be held by another instance from now on. */
  readonly onLost: (lease: Lease) => void;
}

export const LEASE_MS = 15_000;
/** A lease is asked for or renewed this often in its time. */
const TRIES = 5;
/** The holder stops this part of the lease early, for clocks that do not run at the same speed. */
const MARGIN = 0.05;

export class KeptLease {
  readonly #options: KeptLeaseOptions;
  readonly #ms: number;
  #lease: Lease | undefined;
  /** By our clock: from here on the lease counts as lost. */
  #until = 0;
  #isOpen = true;
  #isWanted = true;
  #isAsking = false;
  #cancelTry: (() => void) | undefined;
  #cancelEnd: (() => void) | undefined;

  constructor(options: KeptLeaseOptions) {
    this.#options = options;
    this.#ms = options.ms ?? LEASE_MS;
    void this.#try();
  }

  /** The lease while this instance holds it. Reads the clock only, not the store. */
  get lease(): Lease | undefined {
    return this.#lease && this.#options.clock.now() < this.#until ? this.#lease : undefined;
  }

  /** Asks at once instead of at the next turn: there is news that the lease is free. */
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
    // If the store is away the lease ends by itself.
    if (lease) await this.#options.leases.release(lease).catch(() => {});
  }

  async #try(): Promise<void> {
    const { leases, name, holder, clock } = this.#options;
    // The time of the store starts later than ours, so ours ends first.
    const asked = clock.now();
    const before = this.#lease;
    if (!before && !this.#isWanted) return;
    this.#isAsking = true;
    try {
      if (!before) this.#got(await leases.take(name, holder, this.#ms), asked);
      else if (await leases.renew(before, this.#ms)) this.#extend(before, asked);
      else this.#lose(before);
    } catch {
      // The store is away. A lease that we hold stays ours until its time is over.
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
    this.#options.onHeld(lease);
  }

  #extend(lease: Lease, asked: number): void {
    // The lease ended while we asked: its end was told, and a new one is taken at the next turn.
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
