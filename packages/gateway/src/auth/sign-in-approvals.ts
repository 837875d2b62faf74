/** People who wait for an operator to say who they are, among the calls that wait for an approval. */

import {
  addOperatorAnswer,
  type CallerSignInStore,
  operatorHash,
  type OperatorQueue,
} from '@callsign/auth';
import type { ApprovalQueue, Approvals } from '@callsign/governance';

/** What stands in place of a tool. No server can have this key. */
const SIGN_IN = 'callsign:sign_in';

export function operatorQueue(approvals: Approvals): OperatorQueue {
  return {
    ask({ title, effect, rule, shown, client, timeoutMs }) {
      const whole = { arguments: shown, hidden: [] };
      const { id, answer, withdraw } = approvals.request({
        summary: { tool: SIGN_IN, title, effect, rule, ...whole },
        caller: { name: undefined, client },
        timeoutMs,
        furthest: 'once',
        wholeArguments: () => whole,
      });
      return id === undefined ? undefined : { id, ended: answer, withdraw };
    },
  };
}

/**
 * Stores what operators say about people. The store of sign-ins is encrypted where instances share a database: who can
 * only write to the database lets no one in.
 */
export function withSignIns(queue: ApprovalQueue, signIns: CallerSignInStore): ApprovalQueue {
  return {
    list: () => queue.list(),
    find: (id) => queue.find(id),
    watch: (run) => queue.watch(run),
    async decide(id, decision) {
      const decided = await queue.decide(id, decision);
      const { approval, outcome } = decided ?? {};
      if (approval?.tool !== SIGN_IN) return decided;
      // Another operator may have answered first. Only a decision that was made here is stored.
      if (outcome !== (decision.approve ? 'approved' : 'denied')) return decided;
      const answer = {
        hash: operatorHash(approval.id, approval.arguments),
        isYes: decision.approve,
      };
      await signIns.change((state) => addOperatorAnswer(state, answer, Date.now()));
      return decided;
    },
  };
}
