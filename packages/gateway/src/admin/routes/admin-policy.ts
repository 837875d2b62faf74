/** Shows the policy in words, and what another policy would decide. */

import { readFileSync } from 'node:fs';

import { isRecord, readJson, withoutValue, withValue } from '@callsign/config';
import type { Entry, Verdict } from '@callsign/core';
import {
  createPolicy,
  policyFrom,
  WRITTEN_POLICY,
  type PolicySettings,
} from '@callsign/governance';

import type { Gateway } from '../../gateway/gateway.js';
import type {
  PolicyChange,
  PolicyData,
  PolicyEffect,
  PolicyProposal,
  RuleData,
} from '../data/admin-data.js';
import { AdminError } from '../router/admin-error.js';
import { NO_POLICY } from './admin-tools.js';
import { changeConfig, type ChangeRequest } from './config-change.js';

const PATH = ['callsign', 'policy'];
/** Effects beyond this number are only counted. */
const MAX_EFFECTS = 500;
const INVALID = 422;
const LABELS = {
  read: 'the tool only reads',
  write: 'the tool adds or changes',
  destructive: 'the tool may delete or overwrite',
  openWorld: 'the tool reaches outside its server',
  contradiction: 'the tool itself contradicts its claim',
} as const;

export function showPolicy({ config }: Gateway): PolicyData {
  const { policy } = config.settings;
  const written = writtenPolicy(readFileSync(config.file, 'utf8'));
  return {
    isSet: policy !== undefined,
    written: written === undefined ? '' : JSON.stringify(written, null, 2),
    rules: policy ? rulesOf(policy) : [],
    labels: policy ? labelsOf(policy) : [],
    dryRun: policy?.dryRun ?? false,
  };
}

/**
 * Shows the effects of another policy, and saves it on request. `written`: JSON text; empty: no
 * policy.
 */
export async function changePolicy(
  gateway: Gateway,
  written: string,
  request: ChangeRequest,
): Promise<PolicyChange> {
  const value = written.trim() === '' ? undefined : parsed(written);
  const change = await changeConfig(
    gateway.config.file,
    (text) => (value === undefined ? withoutValue(text, PATH) : withValue(text, PATH, value)),
    request,
  );
  const settings = settingsOf(value);
  const entries = [...gateway.hub.entries('tool').values()];
  return { ...change, judged: entries.length, effects: effectsOn(entries, gateway, settings) };
}

/** What `changePolicy` would do, while a person types. An invalid policy is a normal answer here, not an error. */
export async function proposePolicy(gateway: Gateway, written: string): Promise<PolicyProposal> {
  try {
    return await changePolicy(gateway, written, {});
  } catch (error) {
    if (error instanceof AdminError && error.status === INVALID) return { problem: error.message };
    throw error;
  }
}

/** The settings of a policy as written; `undefined` for none. Throws an `AdminError` if it is invalid. */
export async function readPolicy(
  gateway: Gateway,
  written: string,
): Promise<PolicySettings | undefined> {
  const value = written.trim() === '' ? undefined : parsed(written);
  await changePolicy(gateway, written, {});
  return settingsOf(value);
}

function settingsOf(value: unknown): PolicySettings | undefined {
  if (value === undefined) return undefined;
  const checked = WRITTEN_POLICY.safeParse(value);
  if (checked.success) return policyFrom(checked.data);
  throw new AdminError(INVALID, 'This is not a policy.');
}

function effectsOn(
  entries: readonly Entry[],
  { config }: Gateway,
  settings: PolicySettings | undefined,
): PolicyEffect[] {
  const [before, after] = [judgeOf(config.settings.policy), judgeOf(settings)];
  return entries
    .map((entry) => {
      const { canonical: tool, risk } = entry;
      return { tool, risk, before: before(entry), after: after(entry) };
    })
    .filter(({ before: old, after: now }) => old.decision !== now.decision)
    .slice(0, MAX_EFFECTS);
}

/** Decides about a call without arguments by an unknown client. */
function judgeOf(settings: PolicySettings | undefined): (entry: Entry) => Verdict {
  if (!settings) return () => NO_POLICY;
  const policy = createPolicy(settings);
  const caller = { client: { name: '', version: '' } };
  return (entry) => policy.judge(entry, caller);
}

function rulesOf({ rules }: PolicySettings): RuleData[] {
  return rules.map(({ match, when, decision, reason }) => {
    const tools = match === undefined ? 'any tool' : `the tool is ${match}`;
    const text = when === undefined ? tools : `${tools} and ${when}`;
    return { when: text, decision, ...(reason === undefined ? {} : { reason }) };
  });
}

function labelsOf(policy: PolicySettings): RuleData[] {
  return Object.entries(LABELS).flatMap(([key, when]) => {
    const decision = policy[key as keyof typeof LABELS];
    return decision === undefined ? [] : [{ when, decision }];
  });
}

function writtenPolicy(text: string): unknown {
  const document = readJson(text);
  const callsign = isRecord(document) ? document['callsign'] : undefined;
  return isRecord(callsign) ? callsign['policy'] : undefined;
}

function parsed(text: string): unknown {
  const value = readJson(text);
  if (value === undefined) throw new AdminError(INVALID, 'This is not JSON, or nested too deeply.');
  if (hasPrototype(value)) {
    throw new AdminError(400, 'A policy cannot have a member with the name "__proto__".');
  }
  return value;
}

/** Whether a member anywhere has this name. Such a value means different things to different programs. */
function hasPrototype(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasPrototype);
}
