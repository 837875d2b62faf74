/** Runs the rules about names over the tools of one server. */

import { DEFAULT_CLIENT_KEY, type ClientProfile } from '../profile/client-profile.js';
import { CLIENT_PRODUCTS } from '../profile/client-profiles.js';
import { NAME_RULES } from './name-rules.js';
import type { Finding } from './rule.js';
import { runRules } from './run-rules.js';

/** The clients that names are checked for. */
export interface LintNamesOptions {
  /** The clients that matter. Default: all known clients. */
  readonly clients?: readonly ClientProfile[];
  /** The server's key in clients. Some clients count it as part of a name. */
  readonly key?: string;
}

/** The findings, sorted. They do not depend on the order of the tools. Never throws. */
export function lintNames(
  tools: readonly unknown[],
  { clients = CLIENT_PRODUCTS, key = DEFAULT_CLIENT_KEY }: LintNamesOptions = {},
): Finding[] {
  return runRules(NAME_RULES, { names: tools.map(nameOf).toSorted(), clients, key });
}

/** Accepts anything, since a server's list may hold anything. */
function nameOf(tool: unknown): string {
  const name: unknown = (tool as { name?: unknown } | null | undefined)?.name;
  return typeof name === 'string' ? name : '';
}
