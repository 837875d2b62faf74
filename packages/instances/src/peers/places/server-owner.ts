/**
 * Where one server runs: on the instance that holds its lease, which may be this one.
 *
 * The protocol of a hand-over, so that no call is lost and none is made twice. The holder
 * 1. takes no lease any more, and keeps this one (`resign`). Every request of another instance that comes from now on
 *    is answered with "moved" (421) before the server could see it. Calls that came before get their answers;
 * 2. ends the server's processes once these calls have their answers, or at the limit of the drain;
 * 3. releases the lease and tells the others (`release`). The next holder starts the server, and calls wait for it.
 *
 * Another instance that hears "moved" never uses this fence again (`refused`). It waits for a holder with a newer fence
 * and sends the call there, since the server has not seen it. A call whose connection broke after it was sent
 * may have been made, so it fails. A holder that does not know a fence yet answers "moved" with `Retry-After`, and is
 * asked again.
 */

import type { Clock, Log } from '@callsign/core';

import type { Instance } from '../../directory/instance-directory.js';
import { RenewedLease } from '../../leases/renewed-lease.js';
import { leaseName, type Lease } from '../../leases/leases.js';
import type { BridgedLeases } from './bridged-leases.js';

/** Where a server is. The fence tells one holder of the lease from the next. */
export type Whereabouts =
  | { readonly at: 'here'; readonly fence: number }
  | { readonly at: 'there'; readonly instance: Instance; readonly fence: number };

/**
 * Why a request for the server is not run here: `moved`: this instance will never run it under that fence.
 * `unknown`: this instance does not hold the lease under that fence, but may hold it in a moment.
 */
export type Refusal = 'moved' | 'unknown';

export interface ServerOwnerOptions {
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

/** How long to wait before asking an instance again that did not answer, or that does not know its lease yet. */
const ASK_AGAIN_MS = 250;

/** One server. This instance tries to take the lease as long as the place is open. */
export class ServerOwner {
  readonly #options: ServerOwnerOptions;
  readonly #lease: RenewedLease;
  readonly #waiting = new Set<() => void>();
  readonly #movers = new Set<() => void>();
  #known: Whereabouts | undefined;
  /** Whether the store names a holder that is refused here. Calls wait, since another instance may take the lease. */
  isWithUnproved = false;
  #isOpen = true;
  #isResigned = false;
  /** The newest fence that this instance has given up or lost. */
  #lastLost = 0;
  /** The newest fence whose holder has said "moved". */
  #lastMoved = 0;
  /** By our clock: the holder is not asked before. */
  #askAt = 0;

  constructor(options: ServerOwnerOptions) {
    this.#options = options;
    const { key, self, leases, clock, leaseMs, onChange } = options;
    this.#lease = new RenewedLease({
      leases,
      name: leaseName(key),
      holder: self,
      clock,
      ms: leaseMs,
      onAcquired: ({ fence }) => {
        this.#become({ at: 'here', fence });
        onChange();
      },
      onLost: ({ fence }) => {
        this.#lastLost = fence;
        this.#become(undefined);
      },
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

  /** Why a request of another instance under a fence is not run here; `undefined` if it is. */
  refusal(fence: number): Refusal | undefined {
    const own = this.fence;
    if (own === fence) return this.#isResigned ? 'moved' : undefined;
    return fence <= this.#lastLost || fence < (own ?? 0) ? 'moved' : 'unknown';
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
      const waitMs = this.#askAt - this.#options.clock.now();
      if (known && waitMs > 0) await this.#change(waitMs);
      else if (known && (await this.#options.reaches(known.instance)) && this.#known === known) {
        return known;
      } else if (this.#known === known) await this.#change(known ? ASK_AGAIN_MS : undefined);
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
    if (!isOther || lease.fence <= this.#lastMoved) {
      if (this.#known) this.#become(undefined);
      return;
    }
    const { fence } = lease;
    if (this.#known?.fence !== fence) this.#become({ at: 'there', instance, fence });
  }

  /** The holder has refused a request under this fence, and has not run it. */
  refused(fence: number, refusal: Refusal): void {
    const known = this.#known;
    const isCurrent = this.#isOpen && known?.at === 'there' && known.fence === fence;
    if (refusal === 'moved') {
      this.#lastMoved = Math.max(this.#lastMoved, fence);
      if (isCurrent) this.#become(undefined);
    } else if (isCurrent) {
      this.#askAt = this.#options.clock.now() + ASK_AGAIN_MS;
      this.#move();
    }
  }

  /** The connection to the holder broke. If it does not answer, calls wait for the next holder. */
  async suspect(): Promise<void> {
    const known = this.#known;
    if (known?.at !== 'there' || (await this.#options.reaches(known.instance))) return;
    if (this.#known === known && this.#isOpen) this.#move();
  }

  /** Leaves the server to another instance. A lease that is held stays until `release`. */
  resign(): void {
    this.#isResigned = true;
    this.#lease.resign();
    if (this.#known?.at === 'here') this.#known = undefined;
  }

  /** Releases the lease, after `resign`. The server must have been stopped before. `where` finds the next holder. */
  async release(): Promise<void> {
    const wasHeld = this.fence !== undefined;
    this.#lastLost = this.fence ?? this.#lastLost;
    await this.#lease.close();
    if (wasHeld) this.#options.onChange();
  }

  /** Releases the lease. The server must have been stopped before. */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#known = undefined;
    await this.release();
    for (const wake of this.#waiting) wake();
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
