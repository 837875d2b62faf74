/** The definition of one of the five tools: name, title, label and description. */

import { type Item, NAMES_META } from '@callsign/core';
import {
  type Endpoint,
  ENDPOINT_TITLES,
  type HintSet,
  toolTitle,
  withTitle,
} from '@callsign/effects';

import { braced } from './name-groups.js';

/** What the definition of one tool is made from. */
export interface EndpointTool {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly displayName: string;
  readonly hints: HintSet;
  /** The names of its operations. */
  readonly operations: readonly string[];
  /**
   * Operations with more risk than the endpoint: in READ, those that change; in CREATE, those that
   * overwrite.
   */
  readonly riskier?: readonly string[];
  /** The name that replaces this old name. */
  readonly successor?: string;
}

/** Some models refuse longer descriptions, and some clients cut them. */
const MAX_LENGTH = 1024;

/** The effect of each tool. The sentence must be true for all of its operations. */
const PURPOSES: Readonly<Record<Endpoint, (tool: EndpointTool) => string>> = {
  create: ({ riskier = [] }) =>
    `Adds to {adapter}; ${riskier.length === 0 ? 'overwrites and removes nothing' : `may overwrite or remove: ${few(riskier)}`}.`,
  read: ({ riskier = [] }) =>
    `Reads from {adapter}; ${riskier.length === 0 ? 'changes nothing' : `may change something: ${few(riskier)}`}.`,
  update: ({ hints }) =>
    `Changes what {adapter} holds${hints.destructiveHint ? '; may overwrite or remove' : ''}.`,
  delete: () => 'Removes from {adapter}.',
  execute: () => 'Runs and stops things in {adapter}; may not be repeated blindly.',
};
const MAX_RISKIER = 5;

const LEARN = '{"operation":"introspect","params":{"search":"keywords"}}';

/** Kept small, because every list has it five times. `operations` is accepted as well. */
const INPUT_SCHEMA = {
  type: 'object',
  properties: { operation: { type: 'string' }, params: { type: 'object' } },
} as const;

/** The definition as clients get it in `tools/list`. */
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
      _meta: { [NAMES_META]: true },
    },
    title,
  );
  return { name, json: JSON.stringify(definition) };
}

/**
 * The effect and the help come first. Names of operations fill the rest and are cut if they do not
 * fit.
 */
function descriptionOf(tool: EndpointTool): string {
  const { endpoint, displayName, operations, successor } = tool;
  const purpose = PURPOSES[endpoint](tool).replace('{adapter}', () => displayName.slice(0, 200));
  const start = [
    successor === undefined ? '' : `Old name of ${successor}; use that.`,
    purpose,
    // One example is enough for all five tools.
    endpoint === 'read' ? `Find operations and parameters: ${LEARN}` : 'Learn more: introspect.',
  ]
    .filter((part) => part !== '')
    .join(' ');
  return operations.length === 0
    ? start
    : `${start} Operations: ${listed(operations, MAX_LENGTH - start.length)}`;
}

/** As many names as fit, in groups. */
function listed(operations: readonly string[], maxLength: number): string {
  const label = ' Operations: '.length;
  const all = braced(operations).join(' ');
  if (all.length + label <= maxLength) return all;
  const limit = maxLength - label - more(operations.length).length;
  let count = 0;
  let shown = '';
  for (let next = 1; next <= operations.length; next++) {
    const text = braced(operations.slice(0, next)).join(' ');
    if (text.length > limit) break;
    [count, shown] = [next, text];
  }
  return `${shown}${more(operations.length - count)}`.trim();
}

function few(names: readonly string[]): string {
  const shown = names.slice(0, MAX_RISKIER).map((name) => name.slice(0, 64));
  const rest = names.length - shown.length;
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function more(rest: number): string {
  return ` and ${rest} more; search for them`;
}
