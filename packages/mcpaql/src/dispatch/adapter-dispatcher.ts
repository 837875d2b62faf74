/** Answers calls of an adapter's tools: finds the operation, checks it and runs it. */

import type { Endpoint } from '@callsign/effects';

import type { Adapter, Operation } from '../adapter/adapter.js';
import type { CatalogueEntry, OperationCatalogue } from '../introspect/operation-catalogue.js';
import { operationInfo } from '../introspect/operation-info.js';
import type { Executor } from '../protocol/executor.js';
import { LIMITS } from '../protocol/limits.js';
import { createDispatcher, type Dispatch } from './dispatch.js';
import { createRunner, type RunnerOptions } from './runner.js';

interface AdapterEntry extends CatalogueEntry {
  readonly operation: Operation;
}

export const CAPABILITIES: Readonly<Record<string, boolean>> = {
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

export function createAdapterDispatcher(
  adapter: Adapter,
  toolNames: ReadonlyMap<Endpoint, string>,
  execute: Executor,
  options: RunnerOptions = {},
): Dispatch {
  const catalogue = catalogueOf(adapter, toolNames);
  const runOperation = createRunner(adapter, execute, options);
  return createDispatcher<AdapterEntry>(
    () => catalogue,
    async ({ operation }, params, call) => {
      return { kind: 'envelope', envelope: await runOperation(operation, params, call) };
    },
  );
}

function catalogueOf(
  { name, displayName, operations, types }: Adapter,
  toolNames: ReadonlyMap<Endpoint, string>,
): OperationCatalogue<AdapterEntry> {
  const entries = Array.from(operations.values(), (operation) => ({
    name: operation.name,
    endpoint: operation.endpoint,
    description: operation.description,
    operation,
    info: () => operationInfo(operation, toolNames.get(operation.endpoint)!, types),
  }));
  return {
    name,
    displayName,
    toolNames,
    operations: new Map(entries.map((entry) => [entry.name, entry])),
    types,
    capabilities: CAPABILITIES,
    limits: LIMITS,
  };
}
