/** The names of an adapter's five tools, and adapters whose tools would share one. */

import { type Endpoint, ENDPOINTS } from '@callsign/annotations';
import {
  ADAPTER_SCOPE,
  type ClientProfile,
  createRenderer,
  namePattern,
  profileById,
  snakeCase,
} from '@callsign/naming';

import type { Adapter } from '../adapter/adapter.js';

export interface ToolNamesOptions {
  /** In place of the adapter's own pattern. */
  readonly pattern?: string;
  /** Whose limits names keep to; 64 letters, digits, `_` and `-`, which the strictest APIs ask for. */
  readonly profile?: ClientProfile;
}

/** The old names, which every adapter shared. */
export function legacyToolName(endpoint: Endpoint): string {
  return `mcp_aql_${endpoint}`;
}

/** All five, whether or not the adapter has operations for them. */
export function toolNames(
  { name, toolNames: { pattern } }: Pick<Adapter, 'name' | 'toolNames'>,
  options: ToolNamesOptions = {},
): ReadonlyMap<Endpoint, string> {
  const render = createRenderer({
    profile: options.profile ?? profileById('openai'),
    pattern: namePattern(options.pattern ?? pattern, { scope: ADAPTER_SCOPE }),
  });
  const adapter = snakeCase(name);
  return new Map(
    ENDPOINTS.map((endpoint) => {
      return [endpoint, render({ adapter, endpoint }, `${name}:${endpoint}`).name];
    }),
  );
}

/** A name that several adapters would give to a tool. */
export interface NameClash {
  readonly name: string;
  readonly adapters: readonly string[];
  readonly message: string;
}

/** What keeps these adapters from being served together. Neither of two wins. */
export function nameClashes(
  adapters: readonly Adapter[],
  options: ToolNamesOptions = {},
): NameClash[] {
  const owners = new Map<string, string[]>();
  for (const adapter of adapters) {
    const names = [...toolNames(adapter, options).values()];
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
