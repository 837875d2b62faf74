/** The names of an adapter's five tools, and conflicts between adapters. */

import { type Endpoint, ENDPOINTS } from '@callsign/effects';
import {
  ADAPTER_SCOPE,
  createRenderer,
  namePattern,
  profileById,
  snakeCase,
} from '@callsign/naming';

import type { Adapter } from '../adapter/adapter.js';

/** What the names depend on, besides the adapter. */
export interface ToolNamesOptions {
  /** Replaces the adapter's own pattern. */
  readonly pattern?: string;
}

/** The old names, which all adapters shared. */
export function legacyToolName(endpoint: Endpoint): string {
  return `mcp_aql_${endpoint}`;
}

/** All five names, even for endpoints without operations: at most 64 letters, digits, `_` and `-`. */
export function toolNames(
  { name, toolNames: { pattern } }: Pick<Adapter, 'name' | 'toolNames'>,
  options: ToolNamesOptions = {},
): ReadonlyMap<Endpoint, string> {
  const render = createRenderer({
    profile: profileById('openai'),
    pattern: namePattern(options.pattern ?? pattern, { scope: ADAPTER_SCOPE }),
  });
  const adapter = snakeCase(name);
  return new Map(
    ENDPOINTS.map((endpoint) => {
      return [endpoint, render({ adapter, endpoint }, `${name}:${endpoint}`).name];
    }),
  );
}

/** A tool name that several adapters would use. */
export interface NameClash {
  readonly name: string;
  readonly adapters: readonly string[];
  readonly message: string;
}

/** Conflicts that prevent serving these adapters together. No adapter wins silently. */
export function nameClashes(adapters: readonly Adapter[]): NameClash[] {
  const owners = new Map<string, string[]>();
  for (const adapter of adapters) {
    const names = [...toolNames(adapter).values()];
    const legacy = adapter.toolNames.legacy ? ENDPOINTS.map(legacyToolName) : [];
    for (const name of [...names, ...legacy]) {
      owners.set(name, [...(owners.get(name) ?? []), adapter.name]);
    }
  }
  return Array.from(owners)
    .filter(([, names]) => names.length > 1)
    .map(([name, names]) => ({ name, adapters: names, message: clashMessage(name, names) }));
}

function clashMessage(name: string, adapters: readonly string[]): string {
  const who = adapters.map((adapter) => `"${adapter}"`).join(' and ');
  return `The adapters ${who} would both offer a tool ${name}. Give each a tool_names.pattern with {adapter} in it, or another name.`;
}
