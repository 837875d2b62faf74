/** Computes what another policy would have decided about recorded calls. Calls nothing. */

import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Entry, Principal, Verdict } from '@callsign/core';
import { REDACTED } from '@callsign/core/secrets';
import { createPolicy, type Policy, type PolicySettings } from '@callsign/governance';

import type { Gateway } from '../../gateway/gateway.js';
import type { RecordedCall, ReplayData } from '../data/admin-data.js';
import { NO_POLICY } from './admin-tools.js';
import { shownCall } from './record-routes.js';
import type { RecordedCalls } from './recorded-calls.js';

export interface ReplayRequest {
  /** The other policy; unset for none. */
  readonly settings: PolicySettings | undefined;
  /** As ISO text. */
  readonly since: string;
}

const MAX_REPLAYED = 10_000;
const MAX_CHANGES = 100;
/** How many calls are judged in one turn of the event loop. */
const AT_ONCE = 100;

const UNKNOWN = {
  gone: 'the tool does not exist now',
  arguments: 'a rule reads arguments, and they were not recorded',
  redacted: 'a rule reads arguments, and parts of them were not recorded',
  roles: 'a rule reads the caller, and the roles of this caller are not in the configuration',
} as const;

/** Judges the newest calls since a time. */
export async function replayPolicy(
  gateway: Gateway,
  recorded: RecordedCalls,
  { settings, since }: ReplayRequest,
): Promise<ReplayData> {
  const filter = { since: new Date(since) };
  const [rows, { total }] = await recorded.ask((records) =>
    Promise.all([records.list({ ...filter, limit: MAX_REPLAYED }), records.stats(filter)]),
  );
  const known = { hub: gateway.hub, roles: rolesIn(gateway.auth.keys) };
  const calls = rows.flatMap((row) => (row.kind === 'call' ? [shownCall(row)] : []));
  return { recorded: total.calls, ...(await replayCalls(known, calls, settings)) };
}

/** The current tools and roles. Those of the time of the call are not recorded. */
interface Known {
  readonly hub: Gateway['hub'];
  readonly roles: ReadonlyMap<string, readonly string[]>;
}

export async function replayCalls(
  { hub, roles }: Known,
  calls: readonly RecordedCall[],
  settings: PolicySettings | undefined,
): Promise<Omit<ReplayData, 'recorded'>> {
  const policy = settings && createPolicy(settings);
  const changes = new Map<string, { tool: string; before: string; after: string; calls: number }>();
  const unknown = new Map<string, number>();
  let same = 0;
  for (const [i, call] of calls.entries()) {
    if (i % AT_ONCE === AT_ONCE - 1) await nextTurn();
    const entry = hub.entry('tool', call.tool);
    const after = entry ? decisionOn(policy, entry, call, roles) : UNKNOWN.gone;
    // A call without a recorded decision was made without a policy.
    const before = call.decision ?? NO_POLICY.decision;
    if (typeof after === 'string') unknown.set(after, (unknown.get(after) ?? 0) + 1);
    else if (after.decision === before) same++;
    else {
      const key = JSON.stringify([call.tool, before, after.decision]);
      const { tool } = call;
      const change = changes.get(key) ?? { tool, before, after: after.decision, calls: 0 };
      changes.set(key, { ...change, calls: change.calls + 1 });
    }
  }
  const sorted = [...changes.values()].toSorted((a, b) => b.calls - a.calls);
  return {
    calls: calls.length,
    same,
    unknown: Array.from(unknown, ([reason, count]) => ({ reason, calls: count })),
    changes: sorted.slice(0, MAX_CHANGES),
  };
}

/** Returns the decision, or a text with the reason why it cannot be known. */
function decisionOn(
  policy: Policy | undefined,
  entry: Entry,
  { client, clientVersion, caller, arguments: recordedArguments }: RecordedCall,
  roles: ReadonlyMap<string, readonly string[]>,
): Verdict | string {
  if (!policy) return NO_POLICY;
  const standing = policy.standing(entry);
  if (standing) return standing;
  const reads = policy.reads(entry);
  if (reads.has('args') && recordedArguments === null) return UNKNOWN.arguments;
  if (reads.has('args') && recordedArguments?.includes(REDACTED)) return UNKNOWN.redacted;
  const known = caller === null ? [] : roles.get(caller);
  if (reads.has('caller') && !known) return UNKNOWN.roles;
  const principal: Principal | undefined =
    caller === null ? undefined : { name: caller, roles: known ?? [] };
  const by = { client: { name: client, version: clientVersion }, principal };
  return policy.judge(entry, by, { params: `{"arguments":${recordedArguments ?? '{}'}}` });
}

/** The roles of callers with an API key, as they are now, by the name of the caller in records. */
function rolesIn(keys: Gateway['auth']['keys']): ReadonlyMap<string, readonly string[]> {
  return new Map(keys.map(({ name, roles }) => [`key:${name}`, roles]));
}
