/** Replays recorded calls under another policy. */

import type { Entry, Verdict } from '@callsign/core';
import { createPolicy, type Policy, type PolicySettings } from '@callsign/governance';

import type { Gateway } from '@callsign/gateway';
import type { RecordedCall, ReplayData } from '../data/admin-data.js';
import { NO_POLICY } from './admin-tools.js';

const MAX_CHANGES = 100;

/** `settings`: the other policy; unset for none. */
export function replayCalls(
  { hub }: Pick<Gateway, 'hub'>,
  calls: readonly RecordedCall[],
  settings: PolicySettings | undefined,
): ReplayData {
  const policy = settings && createPolicy(settings);
  const changes = new Map<string, { tool: string; before: string; after: string; calls: number }>();
  let [same, unknown] = [0, 0];
  for (const call of calls) {
    const entry = hub.entry('tool', call.tool);
    const after = entry && decisionOn(policy, entry, call);
    // A call without a recorded decision was made without a policy.
    const before = call.decision ?? NO_POLICY.decision;
    if (after === undefined) unknown++;
    else if (after === before) same++;
    else {
      const key = JSON.stringify([call.tool, before, after]);
      const change = changes.get(key) ?? { tool: call.tool, before, after, calls: 0 };
      changes.set(key, { ...change, calls: change.calls + 1 });
    }
  }
  const sorted = [...changes.values()].toSorted((a, b) => b.calls - a.calls);
  return { calls: calls.length, same, unknown, changes: sorted.slice(0, MAX_CHANGES) };
}

/** `undefined`: it depends on arguments that were not kept as they were. */
function decisionOn(
  policy: Policy | undefined,
  entry: Entry,
  { client, caller, arguments: kept }: RecordedCall,
): Verdict['decision'] | undefined {
  if (!policy) return NO_POLICY.decision;
  const standing = policy.standing(entry);
  if (standing) return standing.decision;
  if (kept === null || kept.includes('[redacted]')) return undefined;
  const principal = caller === null ? undefined : { name: caller, roles: [] };
  const by = { client: { name: client, version: '' }, principal };
  return policy.judge(entry, by, { params: `{"arguments":${kept}}` }).decision;
}
