/** The board of waiting calls: visible on all instances, and each call is decided once. */

import type { Unsubscribe } from '@callsign/core';

import type { OperatorDecision, PendingApproval } from './approvals.js';
import type { SummaryArguments } from './question.js';

/** A waiting call as its instance puts it on the board. Its arguments are redacted. */
export interface PostedApproval extends Omit<PendingApproval, 'waitedMs' | 'remainingMs'> {
  /** The instance where it waits. */
  readonly instance: string;
  readonly whole: SummaryArguments;
  /** How long it can be decided, in milliseconds from now. */
  readonly forMs: number;
}

/** A waiting call of any instance. */
export interface BoardApproval extends PendingApproval {
  readonly instance: string;
}

/** Methods reject if the store cannot be reached. */
export interface ApprovalBoard {
  /** Puts a call on the board. Rejects if there is one with this id. */
  post(approval: PostedApproval): Promise<void>;
  /** The calls that can be decided, oldest first. */
  list(): Promise<BoardApproval[]>;
  /** One call with its complete arguments; `undefined` if no call with this id can be decided. */
  find(id: string): Promise<BoardApproval | undefined>;
  /** Decides. False: no call with this id waits, or it was already decided. */
  decide(id: string, decision: OperatorDecision): Promise<boolean>;
  /** The decisions about these calls, as far as there are any. */
  decisions(ids: readonly string[]): Promise<ReadonlyMap<string, OperatorDecision>>;
  /** Removes calls that no longer wait. */
  remove(ids: readonly string[]): Promise<void>;
  /** Calls back soon after calls came, were decided or left. Such news may be lost. */
  watch(run: () => void): Unsubscribe;
}
