/** People who wait for an operator to say who they are, among the calls that wait for an approval. */

import {
  addOperatorAnswer,
  type CallerSignInStore,
  isAsAsked,
  operatorHash,
  type OperatorQueue,
} from '@callsign/auth';
import type { ApprovalQueue, Approvals, PendingApproval } from '@callsign/governance';

/** What stands in place of a tool. No server can have this key. */
const SIGN_IN = 'callsign:sign_in';
/** How the ids of these questions begin, and no others: in a database, none of them can be shown as a call. */
const PERSON = 'person-';

export function operatorQueue(approvals: Approvals): OperatorQueue {
  return {
    newId: () => approvals.newId(PERSON),
    ask({ id, title, effect, rule, shown, client }, timeoutMs) {
      const whole = { arguments: shown, hidden: [] };
      const ticket = approvals.request({
        id,
        summary: { tool: SIGN_IN, title, effect, rule, ...whole },
        caller: { name: undefined, client },
        timeoutMs,
        furthest: 'once',
        wholeArguments: () => whole,
      });
      if (ticket.id === undefined) return undefined;
      return { ended: ticket.answer, withdraw: ticket.withdraw };
    },
  };
}

/**
 * Stores what operators say about people. Where instances share a database, the store of sign-ins is encrypted, and only
 * questions that an instance has asked are shown: who can only write to the database lets no one in.
 */
export function withSignIns(queue: ApprovalQueue, signIns: CallerSignInStore): ApprovalQueue {
  const isGenuine = (approval: PendingApproval): boolean => {
    const { id, tool, title, effect, rule, arguments: shown, hidden, calls, caller } = approval;
    const isOfPerson = id.startsWith(PERSON);
    if (!isOfPerson || tool !== SIGN_IN) return !isOfPerson && tool !== SIGN_IN;
    const { client } = caller;
    const question = { id, title, effect, rule, shown, client };
    const isPlain = caller.name === undefined && hidden.length === 0 && calls === undefined;
    return isPlain && isAsAsked(signIns.pageKey, question);
  };
  return {
    list: async () => (await queue.list()).filter(isGenuine),
    async find(id) {
      const found = await queue.find(id);
      return found && isGenuine(found) ? found : undefined;
    },
    watch: (run) => queue.watch(run),
    async decide(id, decision) {
      const decided = await queue.decide(id, decision);
      const { approval, outcome } = decided ?? {};
      if (approval?.tool !== SIGN_IN || !isGenuine(approval)) return decided;
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
