/**
 * Shows an MCP server as five tools, by effect. Calls keep the interceptors and answers of the real
 * tool.
 */

import type { Source } from '@callsign/core';
import { type Endpoint, ENDPOINTS, READ_ONLY_DEFAULT } from '@callsign/effects';
import { displayName as displayNameOf } from '@callsign/naming';

import { DEFAULT_PATTERN } from '../adapter/default-pattern.js';
import { CAPABILITIES } from '../dispatch/adapter-dispatcher.js';
import { createDispatcher } from '../dispatch/dispatch.js';
import { endpointItem } from '../endpoints/endpoint-tool.js';
import { toolNames, type ToolNamesOptions } from '../endpoints/tool-names.js';
import type { CatalogueEntry, OperationCatalogue } from '../introspect/operation-catalogue.js';
import {
  type ClassifiedOperation,
  classifyOperation,
  worstHints,
} from './classified-operations.js';
import { type Derived, deriveSource, type ToolRoute } from './derived-source.js';
import type { OperationSource } from './operation-source.js';
import { refuseInner, sendInner } from './send-inner.js';

/** The server that a view shows. */
export interface CrudeViewOptions extends ToolNamesOptions {
  /** The server's key. */
  readonly name: string;
  readonly displayName?: string;
  /** The operator's decisions on the endpoints of tools. */
  readonly endpoints?: ReadonlyMap<string, Endpoint>;
}

/** A Source with up to five tools. It follows the changes of the server until it is closed. */
export interface CrudeView extends Source {
  /** The endpoint of every tool, and why. */
  report(): readonly ClassifiedOperation[];
  close(): void;
}

type Entry = CatalogueEntry & ClassifiedOperation;

interface Crude extends Derived {
  readonly catalogue: OperationCatalogue<Entry>;
}

/** Of the capabilities of adapters, a view has only batches. */
const VIEW_CAPABILITIES: Readonly<Record<string, boolean>> = Object.fromEntries(
  Object.keys(CAPABILITIES).map((name) => [name, name === 'batch']),
);

const ADVICE = "To list operations: operation 'introspect'.";

/** An endpoint without operations has no tool. */
export function createCrudeView(source: OperationSource, options: CrudeViewOptions): CrudeView {
  const {
    name,
    displayName = displayNameOf(name),
    endpoints = new Map<string, Endpoint>(),
  } = options;
  const names = toolNames(
    { name, toolNames: { pattern: DEFAULT_PATTERN, legacy: false } },
    options,
  );
  const derived = deriveSource<Crude>(source, (operations) => {
    const entries = operations.map((operation) => entryOf(classifyOperation(operation, endpoints)));
    return {
      tools: ENDPOINTS.flatMap((endpoint) => toolOf(endpoint, entries) ?? []),
      catalogue: {
        name,
        displayName,
        toolNames: names,
        operations: new Map(entries.map((entry) => [entry.name, entry])),
        types: new Map(),
        capabilities: VIEW_CAPABILITIES,
        limits: undefined,
      },
    };
  });
  const dispatch = createDispatcher<Entry>(
    ({ sight }) => derived.current(sight).catalogue,
    async ({ operation }, params, call) => {
      return {
        kind: 'reply',
        reply: await sendInner(source, operation.name, params, call, ADVICE),
      };
    },
    ({ operation, params }, call) => refuseInner(source, operation, params, call),
  );
  const report = (): ClassifiedOperation[] => [...derived.current().catalogue.operations.values()];
  return Object.assign(derived, { report });

  /** READ exists if there is any tool: introspection belongs to it, and reads only our own memory. */
  function toolOf(endpoint: Endpoint, entries: readonly Entry[]): ToolRoute | undefined {
    const own = entries.filter((entry) => entry.endpoint === endpoint);
    if (own.length === 0 && (endpoint !== 'read' || entries.length === 0)) return undefined;
    const item = endpointItem({
      name: names.get(endpoint)!,
      endpoint,
      displayName,
      hints:
        own.length === 0 ? READ_ONLY_DEFAULT : worstHints(own.map(({ operation }) => operation)),
      operations: own.map((entry) => entry.name),
      riskier: own.filter((entry) => isRiskier(entry, endpoint)).map((entry) => entry.name),
    });
    return { item, send: (call) => dispatch(endpoint, call) };
  }

  function entryOf(classified: ClassifiedOperation): Entry {
    const { operation, definition, endpoint } = classified;
    const { description, parameters, definitions } = definition;
    return {
      ...classified,
      name: operation.name,
      description,
      info: () => ({
        name: operation.name,
        semantic_category: endpoint.toUpperCase(),
        endpoint,
        mcpTool: names.get(endpoint)!,
        description,
        permissions: {
          readOnly: operation.hints.readOnlyHint.value,
          destructive: !operation.hints.readOnlyHint.value && operation.hints.destructiveHint.value,
        },
        parameters,
        returns: { name: 'CallToolResult', kind: 'object' },
        ...(definitions === undefined ? {} : { definitions }),
      }),
    };
  }
}

/** Whether the label of an operation goes beyond its endpoint's label. */
function isRiskier({ operation: { hints } }: Entry, endpoint: Endpoint): boolean {
  if (hints.readOnlyHint.value) return false;
  return endpoint === 'read' || (endpoint === 'create' && hints.destructiveHint.value);
}
