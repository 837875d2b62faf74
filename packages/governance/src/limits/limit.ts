/** Limits the calls of one server or one caller: at the same time, and per minute. */

import { CallsignError, type Call, type Clock, type Interceptor } from '@callsign/core';

import type { Quota } from './call-settings.js';
import { QuotaBlock, type SharedQuotas } from './quota-block.js';

export interface LimitOptions {
  readonly clock: Clock;
  readonly ofServer: (server: string) => Quota | undefined;
  readonly ofCaller: () => Quota | undefined;
  /** The longest wait for a free slot. */
  readonly maxWaitMs: () => number;
  /** Quotas for all instances together. Default: each instance counts for itself. */
  readonly shared?: SharedQuotas | undefined;
}

/** Idle callers are forgotten when there are this many, and whenever the rest has doubled. */
const CALLERS_BEFORE_SWEEP = 1_000;
const MINUTE_MS = 60_000;

/**
 * A call takes a slot for its caller first, then one for its server, and gives both back in any
 * case.
 */
export function limit(options: LimitOptions): Interceptor {
  const { clock, ofServer, ofCaller, maxWaitMs, shared } = options;
  /** By server and account: what one account may use there belongs to it alone. */
  const servers = new Map<string, Slots>();
  const callers = new Map<string, Slots>();
  const sweepAt = new Map<unknown, number>();
  const slotsIn = (slotsOf: Map<string, Slots>, key: string, what: string, quota: Quota): Slots => {
    if (slotsOf.size >= (sweepAt.get(slotsOf) ?? CALLERS_BEFORE_SWEEP) && !slotsOf.has(key)) {
      forgetIdle(slotsOf);
      sweepAt.set(slotsOf, Math.max(CALLERS_BEFORE_SWEEP, slotsOf.size * 2));
    }
    // A session lives on one instance, so its quota need not be shared.
    const kept = key.startsWith('session ') ? undefined : shared;
    const slots =
      slotsOf.get(key) ?? new Slots(clock, what, quota, kept && new QuotaBlock(kept, key, clock));
    slots.quota = quota;
    slotsOf.set(key, slots);
    return slots;
  };
  const slotsFor = (call: Call): Slots[] => {
    const { account, ref } = call.target!;
    const { server } = ref;
    const [ofThisServer, ofEachCaller] = [ofServer(server), ofCaller()];
    const key = account === undefined ? `server ${server}` : `server ${server} account ${account}`;
    return [
      ...(ofEachCaller
        ? [slotsIn(callers, callerKey(call), 'from this client', ofEachCaller)]
        : []),
      ...(ofThisServer ? [slotsIn(servers, key, `to server "${server}"`, ofThisServer)] : []),
    ];
  };
  return async (call, next) => {
    const entered: Slots[] = [];
    let hasWaited = false;
    try {
      for (const slots of slotsFor(call)) {
        hasWaited = (await slots.enter(call, maxWaitMs())) || hasWaited;
        entered.push(slots);
      }
      if (hasWaited) await call.context.recheck?.();
      return await next();
    } finally {
      for (const slots of entered) slots.leave();
    }
  };
}

/** All callers without a credential and without a session share one quota. */
function callerKey({ caller: { principal, era, id } }: Call): string {
  if (principal) return `principal ${principal.name}`;
  return era === 'session' ? `session ${id}` : 'anyone';
}

function forgetIdle(slotsOf: Map<string, Slots>): void {
  for (const [key, slots] of slotsOf) if (slots.isIdle) slotsOf.delete(key);
}

/** The slots and the rate of one quota. */
class Slots {
  quota: Quota;
  readonly #clock: Clock;
  readonly #what: string;
  #running = 0;
  #waiting: (() => void)[] = [];
  /** When all past calls are paid for, at the rate of the quota. */
  #paidAt = 0;

  /** Set for a quota that all instances share. */
  readonly #block: QuotaBlock | undefined;

  constructor(clock: Clock, what: string, quota: Quota, block: QuotaBlock | undefined) {
    this.#clock = clock;
    this.#what = what;
    this.quota = quota;
    this.#block = block;
  }

  get isIdle(): boolean {
    return this.#running === 0 && this.#waiting.length === 0 && this.#paidAt <= this.#clock.now();
  }

  /** Resolves when the call has a slot: true if it had to wait. Rejects if the limit is reached. */
  async enter(call: Call, maxWaitMs: number): Promise<boolean> {
    if (this.#isFull && this.#waiting.length >= this.quota.queue) throw this.#tooMany(1_000);
    // A call pays after this check, so that a refused call costs nothing. It pays before it waits,
    // so that a call over the rate is refused at once.
    const paid = this.#pay();
    if (paid) await paid;
    if (call.context.isCancelled) throw new CallsignError('call-cancelled');
    // Only now: other calls may have taken or left slots while a shared quota was asked.
    if (!this.#isFull) {
      this.#running++;
      return false;
    }
    if (this.#waiting.length >= this.quota.queue) throw this.#tooMany(1_000);
    await this.#turn(call, maxWaitMs);
    return true;
  }

  get #isFull(): boolean {
    return this.#running >= (this.quota.concurrent ?? Infinity);
  }

  /** Gives the slot directly to the first waiting call, so that no later call can take it. */
  leave(): void {
    const next = this.#running <= (this.quota.concurrent ?? Infinity) && this.#waiting.shift();
    if (next) next();
    else this.#running--;
  }

  /** Returns a promise only if a shared quota must be asked for more. */
  #pay(): Promise<void> | undefined {
    const { perMinute } = this.quota;
    if (perMinute === undefined) return undefined;
    if (this.#block) {
      const answer = this.#block.pay(perMinute);
      return answer && this.#paid(answer);
    }
    const now = this.#clock.now();
    const paidAt = Math.max(this.#paidAt, now) + MINUTE_MS / perMinute;
    if (paidAt > now + MINUTE_MS) throw this.#tooMany(paidAt - now - MINUTE_MS);
    this.#paidAt = paidAt;
    return undefined;
  }

  async #paid(answer: Promise<number | undefined>): Promise<void> {
    const waitMs = await answer;
    if (waitMs !== undefined) throw this.#tooMany(waitMs);
  }

  #turn(call: Call, maxWaitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const { context } = call;
      const giveUp = (error: CallsignError): void => {
        this.#waiting = this.#waiting.filter((other) => other !== go);
        stopWaiting();
        reject(error);
      };
      const onCancel = (): void => giveUp(new CallsignError('call-cancelled'));
      const stopWaiting = (): void => {
        stopTimer();
        context.offCancel(onCancel);
      };
      const go = (): void => {
        stopWaiting();
        resolve();
      };
      const stopTimer = this.#clock.after(maxWaitMs, () => giveUp(this.#tooMany(1_000)));
      context.onCancel(onCancel);
      this.#waiting.push(go);
    });
  }

  #tooMany(ms: number): CallsignError {
    return new CallsignError('limit-reached', {
      what: this.#what,
      seconds: Math.max(1, Math.ceil(ms / 1_000)),
    });
  }
}
