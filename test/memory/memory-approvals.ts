/** A store of waiting calls in memory, for several instances in one process. */

import type { Clock } from '@callsign/core';
import { NotPosted } from '@callsign/governance';
import type {
  ApprovalStore,
  StoredApproval,
  OperatorDecision,
  Outcome,
  PostedApproval,
} from '@callsign/governance';

interface Posted {
  readonly approval: PostedApproval;
  readonly since: number;
  decision?: OperatorDecision;
  outcome?: Outcome;
}

export function memoryApprovals(clock: Clock): ApprovalStore {
  const posted = new Map<string, Posted>();
  const watchers = new Set<() => void>();
  const tell = (): void => {
    for (const run of watchers) run();
  };
  const isOpen = ({ approval, since, decision, outcome }: Posted): boolean =>
    !decision && !outcome && clock.now() - since < approval.forMs;
  const shown = ({ approval, since }: Posted): StoredApproval => {
    const { whole: _whole, forMs, ...rest } = approval;
    const waitedMs = clock.now() - since;
    return { ...rest, waitedMs, remainingMs: forMs - waitedMs };
  };
  return {
    async post(approval) {
      const before = posted.get(approval.id);
      if (before && before.approval.instance !== approval.instance) {
        throw new NotPosted(`There is already a call ${approval.id}.`);
      }
      if (before) return;
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
    async state(id) {
      const found = posted.get(id);
      if (!found) return undefined;
      const { decision, outcome } = found;
      const known = { ...(decision ? { decision } : {}), ...(outcome ? { outcome } : {}) };
      return { approval: shown(found), ...known };
    },
    async decisions(ids) {
      return new Map(
        ids.flatMap((id) => {
          const decision = posted.get(id)?.decision;
          return decision ? [[id, decision] as const] : [];
        }),
      );
    },
    async end(instance, outcomes) {
      for (const [id, outcome] of outcomes) {
        const found = posted.get(id);
        const ended = {
          approval: { id, instance, forMs: 0 } as PostedApproval,
          since: clock.now(),
        };
        if (!found) posted.set(id, { ...ended, outcome });
        else if (found.approval.instance === instance) found.outcome ??= outcome;
      }
      tell();
    },
    watch(run) {
      watchers.add(run);
      return () => watchers.delete(run);
    },
  };
}
