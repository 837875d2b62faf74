/** Approvals in the admin API: the routes of a gateway, and their client. */

import type {
  ApprovalQueue,
  DecidedApproval,
  OperatorDecision,
  PendingApproval,
} from '@callsign/governance';
import { isAbout, isSameDecision, SCOPES } from '@callsign/governance';
import * as z from 'zod';

import type { AdminClient } from '../socket/admin-client.js';
import { AdminError } from '../router/admin-error.js';
import type { AdminRouter } from '../router/admin-router.js';

const DECISION: z.ZodType<OperatorDecision> = z.lazy(() =>
  z.discriminatedUnion('approve', [
    z.strictObject({
      approve: z.literal(true),
      scope: z.exactOptional(z.enum(SCOPES)),
      only: z.exactOptional(z.array(z.int().min(1)).min(1)),
    }),
    z.strictObject({ approve: z.literal(false), reason: z.exactOptional(z.string()) }),
  ]),
);

/** `GET /approvals` lists waiting calls; `/approvals/:id` shows one in full, or decides on it. */
export function serveApprovals(router: AdminRouter, queue: ApprovalQueue): void {
  router.on('GET', '/approvals', () => queue.list());
  router.on('GET', '/approvals/:id', async ({ params }) => {
    const id = params.get('id')!;
    const waiting = await queue.find(id);
    if (!waiting) throw notWaiting(id);
    return waiting;
  });
  router.on('POST', '/approvals/:id', async ({ params, body }) => {
    const id = params.get('id')!;
    const decision = DECISION.safeParse(body);
    if (!decision.success) {
      const example = '{"approve": true} or {"approve": false, "reason": "…"}';
      throw new AdminError(400, `Send a decision about ${id}: ${example}.`);
    }
    const { data } = decision;
    if (data.approve && data.only) {
      // A call that waits no more is answered by `decide`.
      const waiting = await queue.find(id);
      if (waiting && !isAbout(data, waiting)) throw new AdminError(400, otherCalls(waiting));
    }
    const decided = await queue.decide(id, data).catch((error: unknown) => {
      throw new AdminError(503, unknownText(id, (error as Error).message));
    });
    return confirmed(id, data, decided);
  });
}

/** The call, if its wait ended with this decision. An operator may decide again to learn this. */
function confirmed(
  id: string,
  wanted: OperatorDecision,
  decided: DecidedApproval | undefined,
): PendingApproval {
  const { approval, decision, outcome } = decided ?? {};
  if (!approval || !decision || outcome === 'expired' || outcome === 'withdrawn') {
    throw notWaiting(id);
  }
  if (!isSameDecision(decision, wanted)) {
    const how = decision.approve
      ? `approved (${decision.only ? `only ${decision.only.join(', ')}` : (decision.scope ?? 'once')})`
      : 'denied';
    throw new AdminError(409, `The call ${id} was already ${how}.`);
  }
  if (outcome) return approval;
  const reason = 'the instance where it waits has not taken the decision yet';
  throw new AdminError(504, unknownText(id, reason));
}

function otherCalls({ id, calls = [] }: PendingApproval): string {
  return calls.length === 0
    ? `${id} is one call, so it cannot be approved in part.`
    : `${id} asks about the calls 1 to ${calls.length}. Approve only such numbers.`;
}

function unknownText(id: string, reason: string): string {
  const advice = 'Decide the same again to learn whether it counts';
  return `It is not known whether the decision about ${id} counts: ${reason}. ${advice}.`;
}

/** A waiting call and its gateway. */
export interface RemoteApproval extends PendingApproval {
  readonly gateway: AdminClient['identity'];
}

/** The waiting calls of these gateways, oldest first. */
export async function listApprovals(clients: readonly AdminClient[]): Promise<RemoteApproval[]> {
  const lists = await Promise.all(
    clients.map(async ({ identity: gateway, get }) => {
      const pending = (await get('/approvals')) as readonly PendingApproval[];
      return pending.map((approval) => ({ ...approval, gateway }));
    }),
  );
  // Gateways that share their storage list the same calls.
  const byId = new Map(lists.flat().map((approval) => [approval.id, approval]));
  return [...byId.values()].toSorted((a, b) => b.waitedMs - a.waitedMs);
}

/** A waiting call with its arguments in full length. Throws an `AdminError` if there is none. */
export function showApproval(clients: readonly AdminClient[], id: string): Promise<RemoteApproval> {
  return atItsGateway(clients, id, ({ get }, path) => get(path));
}

/** Decides on a call at the gateway where it waits, and returns it. Throws an `AdminError` if there is none. */
export function decideApproval(
  clients: readonly AdminClient[],
  id: string,
  decision: OperatorDecision,
): Promise<RemoteApproval> {
  return atItsGateway(clients, id, ({ post }, path) => post(path, decision));
}

async function atItsGateway(
  clients: readonly AdminClient[],
  id: string,
  ask: (client: AdminClient, path: string) => Promise<unknown>,
): Promise<RemoteApproval> {
  for (const client of clients) {
    try {
      const found = await ask(client, `/approvals/${encodeURIComponent(id)}`);
      return { ...(found as PendingApproval), gateway: client.identity };
    } catch (error) {
      if (!(error instanceof AdminError) || error.status !== 404) throw error;
    }
  }
  throw notWaiting(id);
}

function notWaiting(id: string): AdminError {
  return new AdminError(404, `No call is waiting under ${id}. See: callsign approvals list`);
}
