/** A board of waiting calls in memory, for several instances in one process. */

import type { Clock } from '@callsign/core';
import type {
  ApprovalBoard,
  BoardApproval,
  OperatorDecision,
  PostedApproval,
} from '@callsign/governance';

interface Posted {
  readonly approval: PostedApproval;
  readonly since: number;
  decision?: OperatorDecision;
}

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
