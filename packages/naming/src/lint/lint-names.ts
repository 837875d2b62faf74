/** Runs the rules about names over one server's tools. */

import { DEFAULT_CLIENT_KEY, type ClientProfile } from '../profile/client-profile.js';
import { CLIENT_PRODUCTS } from '../profile/client-profiles.js';
import type { Finding, LintedName } from './finding.js';
import { NAME_RULES } from './name-rules.js';

export interface LintNamesOptions {
  /** The clients that matter; all known ones if absent. */
  readonly clients?: readonly ClientProfile[];
  /** The key under which clients will know the server: some count it. */
  readonly key?: string;
}

/** The findings, sorted, and independent of the order of the tools. */
export function lintNames(
  tools: readonly unknown[],
  { clients = CLIENT_PRODUCTS, key = DEFAULT_CLIENT_KEY }: LintNamesOptions = {},
): Finding[] {
  const names = tools.map(nameOf).toSorted();
  const findings: Finding[] = [];
  for (const rule of NAME_RULES) {
    for (const complaint of rule.check(names, clients, key)) {
      findings.push({ rule: rule.id, severity: rule.severity, ...complaint });
    }
  }
  return findings.toSorted(compareFindings);
}

/** A stranger's list may hold anything. */
function nameOf(tool: unknown): string {
  const name: unknown = (tool as LintedName | null | undefined)?.name;
  return typeof name === 'string' ? name : '';
}

function compareFindings(a: Finding, b: Finding): number {
  return compare(a.tool, b.tool) || compare(a.rule, b.rule) || compare(a.message, b.message);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
