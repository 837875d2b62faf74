/** Tools as plain data: labels with evidence, names in every client, decisions of the policy. */

import { toolTokens, visibleLine, type Entry, type Principal, type Verdict } from '@callsign/core';
import { explain, groundOf, reasonFor } from '@callsign/effects';
import { createPolicy, judgeSet, roleRefusal, type ToolSet, toolsIn } from '@callsign/governance';
import {
  CLIENT_PRODUCTS,
  createProfileSet,
  createToolRenderer,
  maxNameLength,
  parseCanonicalName,
} from '@callsign/naming';

import { viewOptions } from '../../clients/client-views.js';
import type { Gateway } from '../../gateway/gateway.js';
import type {
  ClientName,
  DecisionData,
  SetData,
  ToolData,
  ToolSummary,
} from '../data/admin-data.js';
import { AdminError } from '../router/admin-error.js';
import { inTurns } from '../router/in-turns.js';
import { lintTools } from '../tool/lint-tools.js';
import { definitionOfTool } from '../tool/tool-definition.js';

/** The limit on the characters of a description in a list. */
const MAX_LINE = 160;
/** The limit on the characters of a description of one tool. */
const MAX_DESCRIPTION = 20_000;
const MAX_TITLE = 120;

export const NO_POLICY: Verdict = { decision: 'allow', rule: 'there is no policy' };

export async function listTools({ hub }: Gateway): Promise<ToolSummary[]> {
  const tools: ToolSummary[] = [];
  await inTurns(hub.entries('tool').values(), (entry) => tools.push(listedTool(entry)));
  return tools;
}

function listedTool(entry: Entry): ToolSummary {
  const known = summaries.get(entry);
  if (known) return known;
  const { title, description } = definitionOfTool(entry);
  const summary = { ...summaryOf(entry, title), description: visibleLine(description, MAX_LINE) };
  summaries.set(entry, summary);
  return summary;
}

/**
 * Summaries are cached per entry: entries never change, and parsing thousands of definitions is
 * slow.
 */
const summaries = new WeakMap<Entry, ToolSummary>();

export function showTool(gateway: Gateway, name: string): ToolData {
  const entry = requireTool(gateway, name);
  const { title, description, parameters, raw } = definitionOfTool(entry);
  const { servers, settings } = gateway.config;
  const server = servers.find(({ key }) => key === entry.ref.server);
  const findings = lintTools([raw], { key: entry.ref.server });
  return {
    ...summaryOf(entry, title),
    displayName: entry.displayName,
    description: description.slice(0, MAX_DESCRIPTION),
    descriptionCut: Math.max(0, description.length - MAX_DESCRIPTION),
    parameters,
    hints: entry.hints,
    ...(entry.contradiction ? { contradiction: entry.contradiction } : {}),
    explanation: explain(entry.hints),
    claim: entry.claim ?? null,
    trust: server?.settings.trust ?? 'checked',
    names: namesOfTool(gateway, entry),
    sets: setsIn(gateway).map(([set, chosen]) => ({ name: set, ...judgeSet(chosen, entry) })),
    findings: findings.map(({ rule, severity, message, fix }) => ({
      rule,
      severity,
      message,
      fix,
    })),
    roles: Object.keys(settings.roles ?? {}),
    clients: Object.keys(CLIENT_PRODUCTS),
  };
}

/** The tool sets, and what is in them. */
export function listSets(gateway: Gateway): SetData[] {
  const tools = [...gateway.hub.entries('tool').values()];
  return setsIn(gateway).map(([name, set]) => ({
    name,
    description: set.description ?? null,
    tools: toolsIn(set, tools).map(({ canonical }) => canonical),
  }));
}

function setsIn({ config }: Gateway): [string, ToolSet][] {
  return Object.entries(config.settings.sets ?? {});
}

/** The decision about a call without arguments by this client, in this role. */
export function decideTool(
  gateway: Gateway,
  name: string,
  { client, role }: { readonly client: string; readonly role: string | undefined },
): DecisionData {
  const entry = requireTool(gateway, name);
  const principal: Principal | undefined =
    role === undefined ? undefined : { name: '', roles: [role] };
  const refusal = roleRefusal(gateway.config.settings, principal, entry);
  if (refusal !== undefined) return { tool: name, decision: 'deny', rule: refusal };
  const verdict = judge(gateway, entry, client, principal);
  return { tool: name, ...verdict };
}

export function requireTool({ hub }: Gateway, name: string): Entry {
  const entry = hub.entry('tool', name);
  if (entry) return entry;
  const parsed = parseCanonicalName(name);
  const where = parsed.ok ? ` of ${visibleLine(parsed.ref.server, MAX_TITLE)}` : '';
  throw new AdminError(404, `There is no tool ${visibleLine(name, MAX_TITLE)}${where} now.`);
}

function judge(
  { config }: Gateway,
  entry: Entry,
  client: string,
  principal: Principal | undefined,
): Verdict {
  const { policy } = config.settings;
  if (!policy) return NO_POLICY;
  const caller = { client: { name: client, version: '' }, principal };
  return createPolicy(policy).judge(entry, caller);
}

function summaryOf(entry: Entry, title: string): Omit<ToolSummary, 'description'> {
  const { canonical, ref, risk } = entry;
  return {
    canonical,
    ...ref,
    title: visibleLine(title, MAX_TITLE),
    risk,
    ground: groundOf(entry),
    because: reasonFor(entry),
    isContradicted: entry.contradiction !== undefined,
    hasLapsed: entry.hasLapsed === true,
    tokens: toolTokens(entry.item),
  };
}

/** A name depends on the tool, the client and the keys, so it is computed without the whole list. */
function namesOfTool(gateway: Gateway, { ref }: Entry): ClientName[] {
  const { profiles: own, clientKey } = gateway.config.settings;
  const profiles = createProfileSet({ own, clientKey });
  return profiles.ids.map((profile) => {
    const rules = profiles.get(profile)!;
    const options = viewOptions(rules, gateway.config.settings, gateway.keys);
    const { name, exact, reasons } = createToolRenderer(options)(ref);
    const maxLength = finite(maxNameLength(rules, options.clientKey));
    return { profile, label: rules.label, name, exact, reasons, length: name.length, maxLength };
  });
}

export function finite(length: number): number | null {
  return length === Infinity ? null : length;
}
