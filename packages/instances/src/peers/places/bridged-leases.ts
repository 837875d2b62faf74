/**
 * Leases that last while the store is away for all instances. No instance can take a lease without the store, so
 * the holder may keep it as long as every instance that answers is cut off too, and takes no lease for a while
 * (`pause`). A holder that is cut off alone loses the lease, since others may take it.
 *
 * A store that answers but refuses to write is away too: the leases that it lists run out although they are kept.
 * A store that hangs, which takes questions but does not answer them, is away after a part of the lease's time. A
 * slow answer still counts.
 *
 * When the store is back, all leases have run out there. Holders take theirs again at once. The others wait
 * for that, so that servers do not move. A store that hung also does what it was told while it hung. So a lease is
 * only asked for if it is free in a list that has just been read, which also keeps the number of questions small.
 */

import { within, type Clock } from '@callsign/core';

import type { Lease, Leases } from '../../leases/leases.js';

export interface BridgedLeasesOptions {
  readonly leases: Leases;
  readonly clock: Clock;
  /** How long a lease lasts. */
  readonly leaseMs: number;
  /** Whether none of the instances that answer can reach the store. */
  readonly isCutForAll: () => Promise<boolean>;
}

/**
 * Parts of a lease's time. A store that does not answer within the first counts as away. The holder then asks the other
 * instances, and tries again, all before the lease ends.
 */
const ANSWER = 1 / 8;
/** A list that is older than this says nothing about which leases are free. */
const FRESH = 1 / 4;
/**
 * How long others wait after the store was away. Holders renew their leases more often, so none has run out if the
 * store was away for less than this.
 */
const GRACE = 1 / 2;

/** Holders see the lease that they took first. Use `current` for its fence in the store. */
export class BridgedLeases implements Leases {
  readonly #options: BridgedLeasesOptions;
  /**
   * Leases that were taken again after an outage, by name. Their fences differ from those that
   * their holders know.
   */
  readonly #current = new Map<string, Lease>();
  /** Names of leases that were kept during an outage. They may have expired in the store. */
  readonly #bridged = new Set<string>();
  /** The last question had no answer, or none soon. */
  #isAway = false;
  /** By our clock: the time of the first answer. */
  #firstReachedAt = Infinity;
  /** By our clock: the time of the last answer. Before the first one, the store may have been away for long. */
  #reachedAt = -Infinity;
  /** The last list, with leases that may have been kept since. */
  #listed: ReadonlyMap<string, Lease> = new Map();
  /** By our clock. */
  #listedAt = -Infinity;
  /** By our clock: no lease of others is taken before. */
  #takeAt = 0;

  constructor(options: BridgedLeasesOptions) {
    this.#options = options;
  }

  /** The lease as the store has it. Its fence may be higher than when it was first taken. */
  current(lease: Lease): Lease {
    return this.#current.get(lease.name) ?? lease;
  }

  async take(name: string, holder: string, ms: number): Promise<Lease | undefined> {
    const { leases, clock, leaseMs } = this.#options;
    const now = clock.now();
    const isFree = (this.#listed.get(name)?.holder ?? holder) === holder;
    const isSure = !this.#isAway && now <= this.#listedAt + leaseMs * FRESH;
    if (!isFree || !isSure || now < this.#takeAt) return undefined;
    // A new instance has not seen whether the store was away. A lease that ran out may be kept.
    const isNew = now < this.#firstReachedAt + leaseMs * GRACE;
    const lease = await this.#noted(leases.take(name, holder, ms, isNew));
    this.#forget(name);
    return lease;
  }

  async renew(lease: Lease, ms: number): Promise<boolean> {
    const { leases, isCutForAll } = this.#options;
    const { name } = lease;
    const current = this.current(lease);
    const answer = leases.renew(current, ms);
    let isRenewed: boolean;
    try {
      isRenewed = await this.#noted(this.#soon(answer));
    } catch {
      if (await isCutForAll()) {
        this.#bridged.add(name);
        return true;
      }
      // An instance that is cut off alone must not keep the lease.
      isRenewed = await answer;
    }
    if (isRenewed) {
      this.#bridged.delete(name);
      return true;
    }
    // The store says that the lease has expired. If that was during the outage, it is taken again.
    return this.#bridged.delete(name) && this.#takeAgain(current, ms);
  }

  /**
   * Takes no lease while a holder may keep it without the store. To be called before this instance tells another one
   * that it cannot reach the store.
   */
  pause(): void {
    this.#takeNothingFor(this.#options.leaseMs);
  }

  async release(lease: Lease): Promise<void> {
    const current = this.current(lease);
    this.#forget(lease.name);
    await this.#options.leases.release(current);
  }

  find(name: string): Promise<Lease | undefined> {
    return this.#options.leases.find(name);
  }

  async list(): Promise<Lease[]> {
    const { clock, leases } = this.#options;
    const asked = clock.now();
    const answer = leases.list();
    const listed = await this.#noted(this.#soon(answer)).catch(() => this.#noted(answer));
    this.#listedAt = asked;
    // Until then, a lease that ran out in the store may be kept.
    const known = clock.now() < this.#takeAt ? this.#listed : [];
    this.#listed = new Map([...known, ...listed.map((lease) => [lease.name, lease] as const)]);
    return [...this.#listed.values()];
  }

  /** Rejects if the store does not answer soon. */
  #soon<T>(asked: Promise<T>): Promise<T> {
    const { clock, leaseMs } = this.#options;
    return within(clock, leaseMs * ANSWER, asked);
  }

  #takeNothingFor(ms: number): void {
    this.#takeAt = Math.max(this.#takeAt, this.#options.clock.now() + ms);
  }

  /** Notes whether the store can be reached. */
  async #noted<T>(asked: Promise<T>): Promise<T> {
    const { clock, leaseMs } = this.#options;
    try {
      const answer = await asked;
      const wasLong = clock.now() - this.#reachedAt >= leaseMs * GRACE;
      if (this.#isAway && wasLong) this.#takeNothingFor(leaseMs * GRACE);
      this.#isAway = false;
      this.#reachedAt = clock.now();
      this.#firstReachedAt = Math.min(this.#firstReachedAt, this.#reachedAt);
      return answer;
    } catch (error) {
      this.#isAway = true;
      throw error;
    }
  }

  /**
   * Takes the lease again. If another instance had it in the meantime, the fence is higher by more
   * than one, and the lease is given back.
   */
  async #takeAgain({ name, holder, fence }: Lease, ms: number): Promise<boolean> {
    const again = await this.#options.leases.take(name, holder, ms);
    if (!again) return false;
    if (again.fence !== fence + 1) {
      await this.#options.leases.release(again);
      return false;
    }
    this.#current.set(name, again);
    return true;
  }

  #forget(name: string): void {
    this.#current.delete(name);
    this.#bridged.delete(name);
  }
}
