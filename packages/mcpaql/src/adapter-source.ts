/** An adapter as a Source: five tools, and every call of one of them checked, gated and carried out. */

import type { Endpoint } from '@callsign/annotations';
import { type Item, NOTHING, type Offer, type Route, type Source } from '@callsign/core';

import type { Adapter, Operation } from './adapter/adapter.js';
import { adapterTools } from './endpoints/adapter-tools.js';
import { endpointItem } from './endpoints/endpoint-tool.js';
import { toolNames, type ToolNamesOptions } from './endpoints/tool-names.js';
import { createExecutor, type ExecutorOptions } from './execute/create-executor.js';
import type { Catalogue, CatalogueEntry } from './introspect/catalogue.js';
import { operationInfo } from './introspect/operation-info.js';
import { createDispatcher } from './protocol/dispatch.js';
import type { Warning } from './protocol/envelope.js';
import { LIMITS } from './protocol/limits.js';
import { createRunner } from './protocol/runner.js';

export interface AdapterSourceOptions extends ToolNamesOptions, ExecutorOptions {
  /** The time, for limits and tokens; the clock if absent. */
  readonly now?: () => number;
}

export interface AdapterSource extends Source {
  readonly adapter: Adapter;
  /** Ends connections and processes that it holds. */
  close(): Promise<void>;
}

interface AdapterEntry extends CatalogueEntry {
  readonly operation: Operation;
}

const CAPABILITIES: Readonly<Record<string, boolean>> = {
  batch: true,
  field_selection: true,
  aggregations: false,
  computed_fields: false,
  pagination: true,
  relationship_queries: false,
  warnings: true,
  confirmation: true,
  dangerous_operations: true,
};

export function createAdapterSource(
  adapter: Adapter,
  options: AdapterSourceOptions = {},
): AdapterSource {
  const names = toolNames(adapter, options);
  const catalogue = catalogueOf(adapter, names);
  const { execute, close } = createExecutor(adapter, options);
  const runOperation = createRunner(adapter, execute, options);
  const dispatch = createDispatcher<AdapterEntry>(
    () => catalogue,
    async ({ operation }, params, call) => {
      return { kind: 'envelope', envelope: await runOperation(operation, params, call) };
    },
  );

  const routes = new Map<string, Route & { readonly item: Item }>();
  for (const tool of adapterTools(adapter, names)) {
    const notices = tool.successor === undefined ? [] : [deprecation(tool.name, tool.successor)];
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
    // What an adapter offers never changes; a changed file is another adapter.
    subscribe: () => () => undefined,
    tell: () => undefined,
    close,
  } satisfies Source & AdapterSource;
}

function catalogueOf(
  adapter: Adapter,
  names: ReadonlyMap<Endpoint, string>,
): Catalogue<AdapterEntry> {
  const entries = Array.from(adapter.operations.values(), (operation) => ({
    name: operation.name,
    endpoint: operation.endpoint,
    description: operation.description,
    operation,
    info: () => operationInfo(operation, names.get(operation.endpoint)!, adapter.types),
  }));
  return {
    name: adapter.name,
    displayName: adapter.displayName,
    toolNames: names,
    operations: new Map(entries.map((entry) => [entry.name, entry])),
    types: adapter.types,
    capabilities: CAPABILITIES,
    limits: LIMITS,
  };
}

function deprecation(old: string, name: string): Warning {
  const message = `'${old}' is an old name; call '${name}'.`;
  return { code: 'DEPRECATION_WARNING', message, severity: 'medium' };
}
