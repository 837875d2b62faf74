/**
 * This instance's block of a shared quota: used without asking, filled up before it is empty, and
 * given back when idle.
 */

import type { Clock } from '@callsign/core';

import type { QuotaStore } from './quota-store.js';

/** Quotas for all instances together. */
export interface SharedQuotas {
  readonly store: QuotaStore;
  /** The id of this instance. */
  readonly holder: string;
  /** How many instances run. */
  readonly instances: () => number;
}

/** All blocks together hold at most this share of a quota, or one call per instance. */
const SHARE = 0.02;
/** How long a block lasts on the clock of the store. On ours it ends earlier. */
const BLOCK_MS = 5_000;
const OWN_MS = 4_000;
/** A block that is not used for this long is given back. */
const IDLE_MS = 1_000;
/** If the store does not answer, calls are refused and told to try again after this time. */
const AWAY_MS = 2_000;

/** Lets a call continue (`undefined`), or refuses it with the time to wait. */
type Waiting = (waitMs: number | undefined) => void;

/** One per quota and instance. Asks the store at most once at a time. */
export class QuotaBlock {
  readonly #shared: SharedQuotas;
  readonly #key: string;
  readonly #clock: Clock;
  #left = 0;
  #until = 0;
  #usedAt = 0;
  #perMinute = 1;
  #waiting: Waiting[] = [];
  #isAsking = false;
  #hasTimer = false;

  constructor(shared: SharedQuotas, key: string, clock: Clock) {
    this.#shared = shared;
    this.#key = key;
    this.#clock = clock;
  }

  /**
   * Pays for one call. `undefined`: the block had one left. Otherwise a promise: `undefined` if the
   * store granted one, or the milliseconds to wait.
   */
  pay(perMinute: number): Promise<number | undefined> | undefined {
    this.#perMinute = perMinute;
    this.#usedAt = this.#clock.now();
    if (this.#clock.now() >= this.#until) this.#left = 0;
    if (this.#left > 0 && this.#waiting.length === 0) {
      this.#left--;
      if (this.#left <= this.#size / 2) void this.#ask();
      return undefined;
    }
    const answer = new Promise<number | undefined>((resolve) => this.#waiting.push(resolve));
    void this.#ask();
    return answer;
  }

  /** How many calls a block has. */
  get #size(): number {
    const share = (this.#perMinute * SHARE) / Math.max(1, this.#shared.instances());
    return Math.max(1, Math.floor(share));
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const asked = this.#clock.now();
    // Calls continue to use the kept part while the answer is on its way.
    const kept = asked < this.#until ? this.#left : 0;
    const wanted = Math.max(0, this.#size - kept) + this.#waiting.length;
    try {
      const { granted, waitMs } = await this.#take(kept, 0, wanted);
      const now = this.#clock.now();
      const left = now < this.#until ? this.#left : 0;
      // If the answer took too long, the time of the block is already over.
      this.#left = now < asked + OWN_MS ? left + granted : 0;
      this.#until = asked + OWN_MS;
      this.#serve(waitMs, granted === wanted);
      this.#giveBackLater();
    } catch {
      this.#serve(AWAY_MS, false);
    }
    this.#isAsking = false;
    if (this.#waiting.length > 0) void this.#ask();
  }

  /** Lets waiting calls continue. If the quota is used up, the others are refused. */
  #serve(waitMs: number, isMore: boolean): void {
    while (this.#left > 0 && this.#waiting.length > 0) {
      this.#left--;
      this.#waiting.shift()!(undefined);
    }
    if (isMore) return;
    for (const refuse of this.#waiting.splice(0)) refuse(waitMs);
  }

  #giveBackLater(): void {
    if (this.#hasTimer || this.#left === 0) return;
    this.#hasTimer = true;
    this.#clock.after(IDLE_MS, () => {
      this.#hasTimer = false;
      if (this.#clock.now() - this.#usedAt < IDLE_MS) this.#giveBackLater();
      else void this.#giveBack();
    });
  }

  async #giveBack(): Promise<void> {
    if (this.#isAsking || this.#left === 0 || this.#clock.now() >= this.#until) return;
    this.#isAsking = true;
    const returned = this.#left;
    this.#left = 0;
    // If that fails, the store takes the block back when its time is over.
    await this.#take(0, returned, 0).catch(() => undefined);
    this.#isAsking = false;
    if (this.#waiting.length > 0) void this.#ask();
  }

  #take(kept: number, returned: number, wanted: number): ReturnType<QuotaStore['take']> {
    const { store, holder } = this.#shared;
    const [key, perMinute] = [this.#key, this.#perMinute];
    return store.take({ key, holder, perMinute, kept, returned, wanted, ms: BLOCK_MS });
  }
}
