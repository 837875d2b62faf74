/** The store of waiting calls: visible on all instances, and each call is decided once. */

import type { Unsubscribe } from '@callsign/core';

import type { DecidedApproval, OperatorDecision, Outcome, PendingApproval } from './approvals.js';
import type { SummaryArguments } from './question.js';

/** A waiting call as its instance puts it into the store. Its arguments are redacted. */
export interface PostedApproval extends Omit<PendingApproval, 'waitedMs' | 'remainingMs'> {
  /** The instance where it waits. */
  readonly instance: string;
  readonly whole: SummaryArguments;
  /** How long it can be decided, in milliseconds from now. */
  readonly forMs: number;
}

/** A waiting call of any instance. */
export interface StoredApproval extends PendingApproval {
  readonly instance: string;
}

/** A call is certainly not in the store. After any other error of `post`, it may be, now or later. */
export class NotPosted extends Error {
  override readonly name = 'NotPosted';
}

/** Methods reject if the store cannot be reached. What they asked for may be done all the same. */
export interface ApprovalStore {
  /**
   * Puts a call into the store. Does nothing if it is there, or has ended there. Rejects if another instance has a call
   * with this id.
   */
  post(approval: PostedApproval): Promise<void>;
  /** The calls that can be decided, oldest first. */
  list(): Promise<StoredApproval[]>;
  /** One call with its complete arguments; `undefined` if no call with this id can be decided. */
  find(id: string): Promise<StoredApproval | undefined>;
  /** Decides. Returns false if no call with this id waits, or it was already decided. */
  decide(id: string, decision: OperatorDecision): Promise<boolean>;
  /** What is known about a call, decided or not; `undefined` if there is none with this id. */
  state(id: string): Promise<DecidedApproval | undefined>;
  /** The decisions about these calls, as far as there are any. */
  decisions(ids: readonly string[]): Promise<ReadonlyMap<string, OperatorDecision>>;
  /**
   * How calls of an instance ended, said by that instance. From then on none of them can be decided, even if its `post`
   * arrives later.
   */
  end(instance: string, outcomes: ReadonlyMap<string, Outcome>): Promise<void>;
  /** Calls back soon after calls came, were decided or ended. Such news may be lost. */
  watch(run: () => void): Unsubscribe;
}
