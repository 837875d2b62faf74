/**
 * Waiting calls that any instance can decide. A call waits where it was made, and the board holds
 * the decision. The waiting instance hears of a decision at once, or finds it when it looks.
 */

import type { Clock, Log, Unsubscribe } from '@callsign/core';

import type { ApprovalBoard } from './approval-board.js';
import type { ApprovalEvent, Approvals, OperatorDecision, PendingApproval } from './approvals.js';

/** Where an operator sees and decides waiting calls. */
export interface ApprovalDesk {
  list(): Promise<PendingApproval[]>;
  /** One call with its complete arguments. */
  find(id: string): Promise<PendingApproval | undefined>;
  /** False: no call with this id waits, or it was already decided. */
  decide(id: string, decision: OperatorDecision): Promise<boolean>;
  /** Calls back when the list may have changed. */
  watch(run: () => void): Unsubscribe;
}

interface SharedApprovalsOptions {
  readonly approvals: Approvals;
  readonly board: ApprovalBoard;
  /** The id of this instance. */
  readonly instance: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** How often an instance with waiting calls looks for decisions, whether or not it hears news. */
const LOOK_MS = 1_500;
/**
 * The board stops accepting decisions this much earlier than the call stops waiting, so that none
 * comes too late.
 */
const MARGIN_MS = 2_500;
const MARGIN_SHARE = 0.25;

/** The desk for one instance alone. */
export function localDesk(approvals: Approvals): ApprovalDesk {
  return {
    list: () => Promise.resolve(approvals.pending),
    find: (id) => Promise.resolve(approvals.whole(id)),
    decide: (id, decision) => Promise.resolve(approvals.decide(id, decision)),
    watch: (run) => approvals.subscribe(run),
  };
}

/**
 * A call on the board is decided there. Until it is posted, it is decided here. So no call is
 * decided twice.
 */
export class SharedApprovals implements ApprovalDesk {
  readonly #options: SharedApprovalsOptions;
  /** The calls that wait here, and whether they are on the board. */
  readonly #waiting = new Map<string, { isPosted: boolean }>();
  readonly #stops: (() => void)[];
  #cancelLook: (() => void) | undefined;
  #looking: Promise<void> | undefined;
  #lookingNext: Promise<void> | undefined;

  constructor(options: SharedApprovalsOptions) {
    this.#options = options;
    this.#stops = [
      options.approvals.subscribe((event) => this.#heed(event)),
      options.board.watch(() => void this.#look()),
    ];
  }

  async list(): Promise<PendingApproval[]> {
    const { board, approvals } = this.#options;
    const shared = await board.list();
    // Calls that are not on the board yet can only be decided here.
    const own = approvals.pending.filter(({ id }) => this.#waiting.get(id)?.isPosted === false);
    return [...shared, ...own];
  }

  async find(id: string): Promise<PendingApproval | undefined> {
    const { board, approvals } = this.#options;
    return this.#waiting.get(id)?.isPosted === false ? approvals.whole(id) : await board.find(id);
  }

  async decide(id: string, decision: OperatorDecision): Promise<boolean> {
    const { board, approvals } = this.#options;
    await this.#post(id);
    if (this.#waiting.get(id)?.isPosted === false) return approvals.decide(id, decision);
    const isDecided = await board.decide(id, decision);
    await this.#look();
    return isDecided;
  }

  watch(run: () => void): Unsubscribe {
    const stops = [this.#options.approvals.subscribe(run), this.#options.board.watch(run)];
    return () => {
      for (const stop of stops) stop();
    };
  }

  close(): void {
    for (const stop of this.#stops) stop();
    this.#cancelLook?.();
  }

  #heed({ type, id }: ApprovalEvent): void {
    if (type === 'waiting') {
      this.#waiting.set(id, { isPosted: false });
      void this.#post(id);
      this.#lookLater();
    } else {
      this.#waiting.delete(id);
      // If that fails, the call leaves the board when its time is over.
      this.#options.board.remove([id]).catch(() => {});
    }
  }

  async #post(id: string): Promise<void> {
    const { approvals, board, instance, log } = this.#options;
    const pending = approvals.posted(id);
    const state = this.#waiting.get(id);
    if (!pending || !state || state.isPosted) return;
    const { remainingMs, waitedMs: _waitedMs, ...approval } = pending;
    const forMs = remainingMs - Math.min(MARGIN_MS, remainingMs * MARGIN_SHARE);
    try {
      // Set before posting: from here on only the board may decide, or there could be two
      // decisions.
      state.isPosted = true;
      await board.post({ ...approval, instance, forMs });
    } catch (error) {
      state.isPosted = false;
      log('debug', `Call ${id} can only be decided on this instance: ${(error as Error).message}`);
    }
  }

  #lookLater(): void {
    if (this.#cancelLook || this.#waiting.size === 0) return;
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

  async #find(): Promise<void> {
    const { approvals, board } = this.#options;
    const posted = [...this.#waiting].filter(([, { isPosted }]) => isPosted).map(([id]) => id);
    const missing = [...this.#waiting].filter(([, { isPosted }]) => !isPosted).map(([id]) => id);
    for (const id of missing) await this.#post(id);
    if (posted.length === 0) return;
    try {
      for (const [id, decision] of await board.decisions(posted)) approvals.decide(id, decision);
    } catch {
      // The board cannot be reached. The next look finds the decisions.
    }
  }
}
