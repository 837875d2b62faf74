/** The files of a generated package that differ with the adapter: its data, its tools, its types. */

import type { Adapter, Operation, Param } from '../adapter/adapter.js';
import { isAtLeast } from '../adapter/danger.js';
import { adapterTools } from '../endpoints/adapter-tools.js';
import { endpointItem } from '../endpoints/endpoint-tool.js';
import { toolNames, type ToolNamesOptions } from '../endpoints/tool-names.js';
import { acceptedParams } from '../protocol/accepted-params.js';
import { comment, literal, objectType, quoted } from './type-script.js';

/** `src/adapter.ts`: the adapter, every default decided. Where its file lay is nobody's business. */
export function adapterFile(adapter: Adapter): string {
  return `/** The adapter: what each operation is called, takes, and may do at worst. */

import type { Adapter } from './runtime/adapter/adapter.js';
import type { HttpTarget } from './runtime/adapter/adapter-document.js';

export const adapter: Adapter & { readonly target: HttpTarget } = ${literal({ ...adapter, file: '' })};
`;
}

/** `src/tools.ts`: the tools under their resolved names, with their titles and labels. */
export function toolsFile(adapter: Adapter, options: ToolNamesOptions): string {
  const names = toolNames(adapter, options);
  const tools = adapterTools(adapter, names).map((tool) => {
    const { name, endpoint, successor } = tool;
    const definition = JSON.parse(endpointItem(tool).json) as unknown;
    return [name, { endpoint, definition, successor }];
  });
  return `/** The tools of the adapter: names, titles, labels. */

import type { Tool } from ${quoted('@modelcontextprotocol/server')};

import type { Endpoint } from './runtime/house.js';

export interface AdapterTool {
  readonly endpoint: Endpoint;
  readonly definition: Tool;
  /** The name to use in place of this one, which is an old one. */
  readonly successor: string | undefined;
}

export const TOOL_NAMES: ReadonlyMap<Endpoint, string> = ${literal(names)};

export const TOOLS: ReadonlyMap<string, AdapterTool> = new Map<string, AdapterTool>(${literal(tools)});
`;
}

/** `src/operations.ts`: what each operation takes, for programs that call them directly. */
export function operationsFile({ operations }: Adapter): string {
  const members = Array.from(operations.values(), (operation) => {
    return `${comment(operation.description, '  ')}  readonly ${operation.name}: ${paramsType(operation)};\n`;
  });
  const endpoints = new Map(
    Array.from(operations.values(), ({ name, endpoint }) => [name, endpoint]),
  );
  return `/** What each operation takes, by its name. */

import type { Endpoint } from './runtime/house.js';

export interface OperationParams {
${members.join('')}}

export type OperationName = keyof OperationParams;

export const ENDPOINT_OF: Readonly<Record<OperationName, Endpoint>> = ${literal(Object.fromEntries(endpoints))};
`;
}

/** Its own parameters, those of the protocol, and the token of an operation that asks for one. */
function paramsType(operation: Operation): string {
  const { danger, requiresConfirmation } = operation;
  const members = [...acceptedParams(operation).entries()];
  if (requiresConfirmation || isAtLeast(danger.level, 'destructive')) {
    members.push([TOKEN.name, TOKEN]);
  }
  return objectType(members, '  ');
}

const TOKEN: Param = {
  name: '_confirmation',
  type: 'string',
  required: false,
  description: 'The token that came with CONFIRMATION_REQUIRED.',
};
