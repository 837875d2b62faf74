/** An adapter as a Source with five tools. */

import { type Item, NOTHING, type Offer, type Route, type Source } from '@callsign/core';

import type { Adapter } from '../adapter/adapter.js';
import { createAdapterDispatcher } from '../dispatch/adapter-dispatcher.js';
import { adapterTools } from '../endpoints/adapter-tools.js';
import { endpointItem } from '../endpoints/endpoint-tool.js';
import { toolNames, type ToolNamesOptions } from '../endpoints/tool-names.js';
import { createExecutor, type ExecutorOptions } from '../execute/create-executor.js';
import { deprecation } from '../protocol/deprecation.js';

/** How an adapter is served: names, credentials, and for tests the network and the time. */
export interface AdapterSourceOptions extends ToolNamesOptions, ExecutorOptions {
  /** The current time, for limits and tokens. Default: the clock. */
  readonly now?: () => number;
}

/** An adapter that can be called. Its owner must close it. */
export interface AdapterSource extends Source {
  readonly adapter: Adapter;
  /** Closes connections and ends processes. */
  close(): Promise<void>;
}

/** Connects to nothing yet: the target is used only when a call arrives. */
export function createAdapterSource(
  adapter: Adapter,
  options: AdapterSourceOptions = {},
): AdapterSource {
  const names = toolNames(adapter, options);
  const { execute, close } = createExecutor(adapter, options);
  const dispatch = createAdapterDispatcher(adapter, names, execute, options);

  const routes = new Map<string, Route & { readonly item: Item }>();
  for (const tool of adapterTools(adapter, names)) {
    const notices = deprecation(tool.name, tool.successor);
    routes.set(tool.name, {
      item: endpointItem(tool),
      send: (call) => dispatch(tool.endpoint, call, notices),
    });
  }
  const offer: Offer = { ...NOTHING, tool: Array.from(routes.values(), ({ item }) => item) };

  return {
    adapter,
    offer,
    route: (kind, name) => (kind === 'tool' ? routes.get(name) : undefined),
    // The offer of an adapter never changes. A changed file is another adapter.
    subscribe: () => () => undefined,
    tell: () => undefined,
    close,
  } satisfies Source & AdapterSource;
}
