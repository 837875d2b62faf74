/**
 * Waiting calls that any instance can decide. A call waits where it was made; the board holds the decision. The
 * instance where it waits hears of a decision at once, or finds it when it looks.
 */

import type { Clock, Log } from '@callsign/core';

import type { ApprovalBoard } from './approval-board.js';
import type { ApprovalEvent, Approvals, OperatorDecision, PendingApproval } from './approvals.js';

/** Where an operator sees and decides waiting calls. */
export interface ApprovalDesk {
  list(): Promise<PendingApproval[]>;
  /** With its arguments in full length. */
  find(id: string): Promise<PendingApproval | undefined>;
  /** False if no call with this id waits, or if it was decided before. */
  decide(id: string, decision: OperatorDecision): Promise<boolean>;
}

export interface SharedApprovalsOptions {
  readonly approvals: Approvals;
  readonly board: ApprovalBoard;
  /** The id of this instance. */
  readonly instance: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** How often an instance with waiting calls looks for decisions, whether it hears news or not. */
const LOOK_MS = 1_500;
/** The board stops taking decisions this much earlier than the call stops waiting, so that none comes too late. */
const MARGIN_MS = 2_500;
const MARGIN_SHARE = 0.25;

/** The calls of this instance alone. */
export function localDesk(approvals: Approvals): ApprovalDesk {
  return {
    list: () => Promise.resolve(approvals.pending),
    find: (id) => Promise.resolve(approvals.whole(id)),
    decide: (id, decision) => Promise.resolve(approvals.decide(id, decision)),
  };
}

export class SharedApprovals implements ApprovalDesk {
  readonly #options: SharedApprovalsOptions;
  /** The calls that wait here, and whether they are on the board. */
  readonly #waiting = new Map<string, { isPosted: boolean }>();
  readonly #stops: (() => void)[];
  #cancelLook: (() => void) | undefined;
  #looking: Promise<void> | undefined;

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
    // Calls that are not on the board yet can be decided here only.
    const own = approvals.pending.filter(({ id }) => this.#waiting.get(id)?.isPosted === false);
    return [...shared, ...own];
  }

  async find(id: string): Promise<PendingApproval | undefined> {
    const { board, approvals } = this.#options;
    return this.#waiting.get(id)?.isPosted === false ? approvals.whole(id) : await board.find(id);
  }

  async decide(id: string, decision: OperatorDecision): Promise<boolean> {
    const { board, approvals } = this.#options;
    if (this.#waiting.get(id)?.isPosted === false) {
      await this.#post(id);
      if (this.#waiting.get(id)?.isPosted === false) return approvals.decide(id, decision);
    }
    const isDecided = await board.decide(id, decision);
    if (isDecided && this.#waiting.has(id)) await this.#look();
    return isDecided;
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
      // What cannot be taken off the board leaves it when its time is over.
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
      // Counts as posted from here on: a decision on the board must not meet one that was made here.
      state.isPosted = true;
      await board.post({ ...approval, instance, forMs });
    } catch (error) {
      state.isPosted = false;
      log('debug', `Call ${id} can be decided on this instance only: ${(error as Error).message}`);
    }
  }

  #lookLater(): void {
    if (this.#cancelLook || this.#waiting.size === 0) return;
    this.#cancelLook = this.#options.clock.after(LOOK_MS, () => {
      this.#cancelLook = undefined;
      void this.#look().then(() => this.#lookLater());
    });
  }

  /** One at a time: what comes meanwhile is seen by another look. */
  #look(): Promise<void> {
    this.#looking ??= this.#find().finally(() => (this.#looking = undefined));
    return this.#looking;
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
      // The board is away. The next look finds what was decided.
    }
  }
}
