/**
 * Waiting calls that any instance can decide. A call waits where it was made, and the store holds the decision. The
 * waiting instance hears of a decision at once, or finds it when it looks.
 *
 * Each call is decided once, even if the store hangs at any step:
 * - The store takes one decision. A call that may be in the store is decided there only, even by its own instance. A
 *   call is decided here only if no attempt to post it can have reached the store.
 * - The waiting instance alone ends the wait: with a decision that it has read from the store, with the time limit, or
 *   because the caller withdrew. Then it tells the store how the wait ended, as often as needed.
 * - An operator gets a yes only when the waiting instance has ended the wait with this decision. A decision that
 *   came too late gets a no. If neither is known in time, the operator is told so and may ask again: the store does not
 *   decide twice.
 */

import { type Clock, type Log, type Unsubscribe, within } from '@callsign/core';

import { type ApprovalStore, NotPosted } from './approval-store.js';
import type {
  ApprovalEvent,
  Approvals,
  DecidedApproval,
  OperatorDecision,
  Outcome,
  PendingApproval,
} from './approvals.js';

/** Where an operator sees and decides waiting calls. */
export interface ApprovalQueue {
  list(): Promise<PendingApproval[]>;
  /** One call with its complete arguments. */
  find(id: string): Promise<PendingApproval | undefined>;
  /**
   * Decides, unless the call was decided before, and returns what became of the call; `undefined` if no call with this
   * id is known. If it rejects, it is not known whether the decision counts. To decide again does no harm.
   */
  decide(id: string, decision: OperatorDecision): Promise<DecidedApproval | undefined>;
  /** Calls back when the list may have changed. */
  watch(run: () => void): Unsubscribe;
}

interface SharedApprovalsOptions {
  readonly approvals: Approvals;
  readonly store: ApprovalStore;
  /** The id of this instance. */
  readonly instance: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** A call that waits here. */
interface OwnCall {
  /** Whether it is in the store. */
  isPosted: boolean;
  /** Whether it is in the store, or may get there: an attempt to post it had no clear answer. */
  mayStand: boolean;
  /** The attempt that is under way. */
  posting?: Promise<void> | undefined;
  /** Why the last attempt failed. */
  fault?: unknown;
}

/** How often an instance with waiting calls looks for decisions, whether or not it hears news. */
const LOOK_MS = 1_500;
/** How much later than its limit a call may expire, if the store does not answer. */
const LAST_LOOK_MS = 5_000;
/** How long an operator waits for the store. */
const ANSWER_MS = 4_000;
/** How long an operator waits until the waiting instance has taken the decision. Shorter, so that the answer says so. */
const TAKEN_MS = 3_000;
/** How often the store is asked whether it has. */
const TAKEN_LOOK_MS = 250;

/** The queue for one instance alone. */
export function localQueue(approvals: Approvals): ApprovalQueue {
  return {
    list: () => Promise.resolve(approvals.pending),
    find: (id) => Promise.resolve(approvals.whole(id)),
    decide(id, decision) {
      approvals.decide(id, decision);
      return Promise.resolve(approvals.settled(id));
    },
    watch: (run) => approvals.subscribe(run),
  };
}

/** Whether an operator decides what was decided before. The words of a refusal do not matter. */
export function isSameDecision(a: OperatorDecision, b: OperatorDecision): boolean {
  if (!a.approve || !b.approve) return a.approve === b.approve;
  const [some, others] = [new Set(a.only), new Set(b.only)];
  const areSameCalls =
    (a.only === undefined) === (b.only === undefined) &&
    some.size === others.size &&
    [...some].every((each) => others.has(each));
  return areSameCalls && (a.scope ?? 'once') === (b.scope ?? 'once');
}

export class SharedApprovals implements ApprovalQueue {
  readonly #options: SharedApprovalsOptions;
  /** The calls that wait here. */
  readonly #own = new Map<string, OwnCall>();
  /** How calls ended that the store may have. It has not confirmed yet that it knows this. */
  readonly #untold = new Map<string, Outcome>();
  #isTelling = false;
  readonly #stops: (() => void)[];
  #cancelLook: (() => void) | undefined;
  #looking: Promise<void> | undefined;
  #lookingNext: Promise<void> | undefined;

  constructor(options: SharedApprovalsOptions) {
    this.#options = options;
    const { approvals, store, clock } = options;
    approvals.lastLook = () => within(clock, LAST_LOOK_MS, this.#look());
    this.#stops = [
      approvals.subscribe((event) => this.#heed(event)),
      store.watch(() => void this.#look()),
    ];
  }

  async list(): Promise<PendingApproval[]> {
    const { store, approvals } = this.#options;
    const shared = await store.list();
    // Calls that are not in the store yet can only be decided here.
    const own = approvals.pending.filter(({ id }) => this.#own.get(id)?.isPosted === false);
    const ids = new Set(own.map(({ id }) => id));
    return [...shared.filter(({ id }) => !ids.has(id)), ...own];
  }

  async find(id: string): Promise<PendingApproval | undefined> {
    const { store, approvals } = this.#options;
    return this.#own.get(id)?.isPosted === false ? approvals.whole(id) : await store.find(id);
  }

  decide(id: string, decision: OperatorDecision): Promise<DecidedApproval | undefined> {
    return within(this.#options.clock, ANSWER_MS, this.#decide(id, decision));
  }

  watch(run: () => void): Unsubscribe {
    const stops = [this.#options.approvals.subscribe(run), this.#options.store.watch(run)];
    return () => {
      for (const stop of stops) stop();
    };
  }

  close(): void {
    for (const stop of this.#stops) stop();
    this.#cancelLook?.();
  }

  async #decide(id: string, decision: OperatorDecision): Promise<DecidedApproval | undefined> {
    const { store, approvals } = this.#options;
    const own = this.#own.get(id);
    if (own) {
      await this.#post(id);
      if (!own.mayStand) approvals.decide(id, decision);
      else if (!own.isPosted) throw own.fault;
    }
    const settled = approvals.settled(id);
    if (settled) return settled;
    await store.decide(id, decision);
    return await this.#taken(id, decision);
  }

  #heed(event: ApprovalEvent): void {
    const { type, id } = event;
    if (type === 'waiting') {
      this.#own.set(id, { isPosted: false, mayStand: false });
      void this.#post(id);
    } else {
      if (this.#own.get(id)?.mayStand) this.#untold.set(id, event.outcome);
      this.#own.delete(id);
      this.#tell().catch(() => {});
    }
    this.#lookLater();
  }

  #post(id: string): Promise<void> {
    const { approvals } = this.#options;
    const [own, pending] = [this.#own.get(id), approvals.posted(id)];
    if (!own || !pending || own.isPosted) return Promise.resolve();
    own.posting ??= this.#postNow(own, pending).finally(() => (own.posting = undefined));
    return own.posting;
  }

  async #postNow(
    own: OwnCall,
    pending: NonNullable<ReturnType<Approvals['posted']>>,
  ): Promise<void> {
    const { store, instance, log } = this.#options;
    const { remainingMs: forMs, waitedMs: _waitedMs, ...approval } = pending;
    const couldStand = own.mayStand;
    own.mayStand = true;
    try {
      await store.post({ ...approval, instance, forMs });
      own.isPosted = true;
    } catch (error) {
      own.fault = error;
      own.mayStand = couldStand || !(error instanceof NotPosted);
      const where = own.mayStand ? 'cannot be decided now' : 'can only be decided on this instance';
      log('debug', `Call ${pending.id} ${where}: ${(error as Error).message}`);
    }
  }

  /** Tells the store how calls ended. It is tried again until the store has confirmed it. */
  async #tell(): Promise<void> {
    const { store, instance } = this.#options;
    if (this.#isTelling) return;
    this.#isTelling = true;
    try {
      while (this.#untold.size > 0) {
        const told = new Map(this.#untold);
        await store.end(instance, told);
        for (const id of told.keys()) this.#untold.delete(id);
      }
    } finally {
      this.#isTelling = false;
    }
  }

  /** What became of a call, once its instance has taken the decision, or after some time. */
  async #taken(id: string, decision: OperatorDecision): Promise<DecidedApproval | undefined> {
    const { approvals, store, clock } = this.#options;
    const until = clock.now() + TAKEN_MS;
    for (;;) {
      if (this.#own.has(id)) await this.#look();
      const known = approvals.settled(id) ?? (await store.state(id));
      const isOpen = known?.decision && isSameDecision(known.decision, decision) && !known.outcome;
      if (!isOpen || clock.now() >= until) return known;
      await this.#news(TAKEN_LOOK_MS);
    }
  }

  /** Resolves at the next news of the store, or after some time. */
  #news(ms: number): Promise<void> {
    const { store, clock } = this.#options;
    return new Promise((resolve) => {
      const done = (): void => {
        stop();
        cancel();
        resolve();
      };
      const stop = store.watch(done);
      const cancel = clock.after(ms, done);
    });
  }

  #lookLater(): void {
    if (this.#cancelLook || this.#own.size + this.#untold.size === 0) return;
    this.#cancelLook = this.#options.clock.after(LOOK_MS, () => {
      this.#cancelLook = undefined;
      void this.#look().then(() => this.#lookLater());
    });
  }

  /** One look at a time. News in the meantime leads to one more look, which finds all of it. */
  #look(): Promise<void> {
    if (!this.#looking) {
      this.#looking = this.#find().finally(() => (this.#looking = undefined));
      return this.#looking;
    }
    this.#lookingNext ??= this.#looking.then(() => {
      this.#lookingNext = undefined;
      return this.#look();
    });
    return this.#lookingNext;
  }

  /** If the store cannot be reached, the next look does the same again. */
  async #find(): Promise<void> {
    const posts = [...this.#own.keys()].map((id) => this.#post(id));
    await Promise.allSettled([this.#read(), this.#tell(), ...posts]);
  }

  async #read(): Promise<void> {
    const { approvals, store } = this.#options;
    const ids = [...this.#own].filter(([, { mayStand }]) => mayStand).map(([id]) => id);
    if (ids.length === 0) return;
    for (const [id, decision] of await store.decisions(ids)) approvals.decide(id, decision);
  }
}
