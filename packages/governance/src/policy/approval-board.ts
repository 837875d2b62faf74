/** The board of waiting calls: visible on all instances, and each call is decided once. */

import type { Clock, Unsubscribe } from '@callsign/core';

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

/** Implemented in memory and in Postgres. Methods reject if the store cannot be reached. */
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

interface Posted {
  readonly approval: PostedApproval;
  readonly since: number;
  decision?: OperatorDecision;
}

/** A board in memory, for several instances in one process: tests and simulations. */
export function memoryBoard(clock: Clock): ApprovalBoard {
  const posted = new Map<string, Posted>();
  const watchers = new Set<() => void>();
  const tell = (): void => {
    for (const run of watchers) run();
  };
  const isOpen = ({ approval, since, decision }: Posted): boolean =>
    !decision && clock.now() - since < approval.forMs;
  const shown = ({ approval, since }: Posted): BoardApproval => {
    const { whole: _whole, forMs, ...rest } = approval;
    const waitedMs = clock.now() - since;
    return { ...rest, waitedMs, remainingMs: forMs - waitedMs };
  };
  return {
    async post(approval) {
      if (posted.has(approval.id)) throw new Error(`There is already a call ${approval.id}.`);
      posted.set(approval.id, { approval, since: clock.now() });
      tell();
    },
    async list() {
      return Array.from(posted.values()).filter(isOpen).map(shown);
    },
    async find(id) {
      const found = posted.get(id);
      return found && isOpen(found) ? { ...shown(found), ...found.approval.whole } : undefined;
    },
    async decide(id, decision) {
      const found = posted.get(id);
      if (!found || !isOpen(found)) return false;
      found.decision = decision;
      tell();
      return true;
    },
    async decisions(ids) {
      return new Map(
        ids.flatMap((id) => {
          const decision = posted.get(id)?.decision;
          return decision ? [[id, decision] as const] : [];
        }),
      );
    },
    async remove(ids) {
      for (const id of ids) posted.delete(id);
      tell();
    },
    watch(run) {
      watchers.add(run);
      return () => watchers.delete(run);
    },
  };
}
