/** The tools of an adapter: one labelled tool for each endpoint with operations. */

import { type Endpoint, endpointHints, ENDPOINTS, type HintSet } from '@callsign/effects';

import type { Adapter, Operation } from '../adapter/adapter.js';
import { isAtLeast } from '../adapter/danger.js';
import type { EndpointTool } from './endpoint-tool.js';
import { legacyToolName } from './tool-names.js';

/** With `tool_names.legacy`, each tool is followed by the same tool under its old name. */
export function adapterTools(
  adapter: Adapter,
  names: ReadonlyMap<Endpoint, string>,
): EndpointTool[] {
  return ENDPOINTS.flatMap((endpoint) => {
    const operations = operationsOf(adapter, endpoint);
    // READ is always there, because introspection belongs to it.
    if (operations.length === 0 && endpoint !== 'read') return [];
    const tool: EndpointTool = {
      name: names.get(endpoint)!,
      endpoint,
      displayName: adapter.displayName,
      hints: hintsOf(adapter, endpoint),
      operations: operations.map(({ name }) => name),
    };
    if (!adapter.toolNames.legacy) return [tool];
    return [tool, { ...tool, name: legacyToolName(endpoint), successor: tool.name }];
  });
}

function operationsOf({ operations }: Adapter, endpoint: Endpoint): Operation[] {
  return [...operations.values()].filter((operation) => operation.endpoint === endpoint);
}

/** An update is destructive if any operation is, and idempotent only if all are. */
function hintsOf(adapter: Adapter, endpoint: Endpoint): HintSet {
  const openWorld = adapter.target.transport !== 'native';
  if (endpoint !== 'update') return endpointHints(endpoint, { openWorld });
  const operations = operationsOf(adapter, endpoint);
  return endpointHints('update', {
    openWorld,
    destructive: operations.some(({ danger }) => isAtLeast(danger.level, 'destructive')),
    idempotent: operations.length > 0 && operations.every(({ idempotent }) => idempotent),
  });
}
