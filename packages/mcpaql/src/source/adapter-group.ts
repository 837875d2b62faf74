/** Several adapters as one Source. Their tools keep their own names. */

import { NOTHING, type Route, type Source } from '@callsign/core';

import type { Adapter } from '../adapter/adapter.js';
import {
  type AdapterSource,
  type AdapterSourceOptions,
  createAdapterSource,
} from './adapter-source.js';
import { nameClashes } from '../endpoints/tool-names.js';

/** Closing it closes every member. */
export interface AdapterGroup extends Source {
  readonly members: readonly AdapterSource[];
  close(): Promise<void>;
}

/** Throws if two adapters would give a tool the same name: neither may silently win. */
export function createAdapterGroup(
  adapters: readonly Adapter[],
  options: AdapterSourceOptions = {},
): AdapterGroup {
  const clashes = nameClashes(adapters, options);
  if (clashes.length > 0) throw new RangeError(clashes.map(({ message }) => message).join('\n'));
  const members = adapters.map((adapter) => createAdapterSource(adapter, options));
  const routes = new Map<string, Route>(
    members.flatMap((member) =>
      member.offer.tool.map(({ name }) => [name, member.route('tool', name)!] as const),
    ),
  );
  return {
    members,
    offer: { ...NOTHING, tool: members.flatMap(({ offer }) => offer.tool) },
    route: (kind, name) => (kind === 'tool' ? routes.get(name) : undefined),
    subscribe: () => () => undefined,
    tell: () => undefined,
    async close() {
      await Promise.all(members.map((member) => member.close()));
    },
  } satisfies Source & AdapterGroup;
}
