/** One of the five tools, as a client sees it: its name, its title, its label, and what it can do. */

import {
  type Endpoint,
  ENDPOINT_TITLES,
  type HintSet,
  toolTitle,
  withTitle,
} from '@callsign/annotations';
import type { Item } from '@callsign/core';

export interface EndpointTool {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly displayName: string;
  readonly hints: HintSet;
  /** The names of its operations. */
  readonly operations: readonly string[];
  /** The tool that introspection is at home in. */
  readonly readTool: string;
  /** The name to use in place of this one, which is an old one. */
  readonly successor?: string;
}

/** Names beyond this are left to introspection: a description is read at every turn. */
const MAX_LISTED = 4000;

const PURPOSES: Readonly<Record<Endpoint, string>> = {
  create: 'Adds to {adapter}; overwrites and removes nothing.',
  read: 'Reads from {adapter}; changes nothing.',
  update: 'Changes what {adapter} holds.',
  delete: 'Removes from {adapter}.',
  execute: 'Runs and stops things in {adapter}; may not be repeated blindly.',
};

const INTROSPECTION = '{"operation":"introspect","params":{"names":["…"],"format":"compact"}}';

/** As little as clients need: it stands in every list, five times. */
const INPUT_SCHEMA = {
  type: 'object',
  properties: {
    operation: { type: 'string' },
    params: { type: 'object', additionalProperties: true },
    operations: {
      type: 'array',
      description: 'Several {operation, params} at once.',
      items: { type: 'object' },
    },
  },
} as const;

export function endpointItem(tool: EndpointTool): Item {
  const { name, endpoint, displayName, hints } = tool;
  const title = toolTitle({ displayName, title: ENDPOINT_TITLES[endpoint] })!;
  const definition = withTitle(
    {
      name,
      title,
      description: descriptionOf(tool),
      inputSchema: INPUT_SCHEMA,
      annotations: hints,
    },
    title,
  );
  return { name, json: JSON.stringify(definition) };
}

function descriptionOf(tool: EndpointTool): string {
  const { endpoint, displayName, operations, readTool, successor } = tool;
  const parts = [
    successor === undefined ? '' : `Old name of ${successor}; use that.`,
    PURPOSES[endpoint].replace('{adapter}', () => displayName),
    operations.length === 0 ? '' : `Operations: ${listed(operations)}.`,
    // One example is enough for five tools; what every description says is where to look.
    endpoint === 'read'
      ? `Parameters of operations: ${INTROSPECTION}`
      : `Parameters: operation introspect, as in ${readTool}.`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

function listed(operations: readonly string[]): string {
  let length = 0;
  const shown = operations.filter((name) => (length += name.length + 2) <= MAX_LISTED);
  const rest = operations.length - shown.length;
  return shown.join(', ') + (rest === 0 ? '' : ` and ${rest} more, which introspect lists`);
}
