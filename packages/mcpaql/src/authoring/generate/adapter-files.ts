/**
 * Writes the files of a generated package that depend on the adapter: its data, tools and types.
 */

import type { Adapter, Operation, Param } from '../../adapter/adapter.js';
import { isAtLeast } from '../../adapter/danger.js';
import { adapterTools } from '../../endpoints/adapter-tools.js';
import { endpointItem } from '../../endpoints/endpoint-tool.js';
import { toolNames, type ToolNamesOptions } from '../../endpoints/tool-names.js';
import { acceptedParams } from '../../protocol/accepted-params.js';
import { sharedParams } from '../../runtime/adapter-json.js';
import { RUNTIME } from './runtime-files.js';
import { comment, literal, objectType, quoted, shapeName, typeOf } from './type-script.js';

/**
 * `src/adapter.ts`. It reads `adapter.json`, because the compiler would need minutes for such a
 * literal.
 */
export const ADAPTER_FILE: string = `/** The adapter: the name, the parameters and the danger of each operation. */

import { readFileSync } from 'node:fs';

import { type Adapter, type HttpTarget, readAdapter } from ${RUNTIME};

export const adapter: Adapter & { readonly target: HttpTarget } = readAdapter(
  readFileSync(new URL('../../adapter.json', import.meta.url), 'utf8'),
);
`;

/** `src/tools.ts`: the tools under their resolved names, with their titles and labels. */
export function toolsFile(adapter: Adapter, options: ToolNamesOptions): string {
  const names = toolNames(adapter, options);
  const tools = adapterTools(adapter, names).map((tool) => {
    const { name, endpoint, successor } = tool;
    const definition = JSON.parse(endpointItem(tool).json) as unknown;
    return [name, { endpoint, definition, successor }];
  });
  return `/** The tools of the adapter: names, titles, labels. */

import type { Endpoint, ServedTool } from ${RUNTIME};
import type { Tool } from ${quoted('@modelcontextprotocol/server')};

export interface AdapterTool extends ServedTool {
  readonly definition: Tool;
}

export const TOOL_NAMES: ReadonlyMap<Endpoint, string> = ${literal(names)};

export const TOOLS: ReadonlyMap<string, AdapterTool> = new Map<string, AdapterTool>(${literal(tools)});
`;
}

/** `src/operations.ts`: the parameters of each operation, for programs that call them directly. */
export function operationsFile(adapter: Adapter): string {
  const { params, shapes } = sharedParams(adapter);
  const members = Array.from(adapter.operations.values(), (operation) => {
    const own = new Map(params.get(operation.name));
    return `${comment(operation.description, '  ')}  readonly ${operation.name}: ${paramsType({ ...operation, params: own })};\n`;
  });
  const named = Object.entries(shapes).map(([name, shape]) => {
    return `export type ${shapeName(name)} = ${typeOf(shape)};\n\n`;
  });
  return `/** The parameters of each operation, by its name. */

${named.join('')}export interface OperationParams {
${members.join('')}}

export type OperationName = keyof OperationParams;
`;
}

/** The operation's own parameters, those of the protocol, and the confirmation token if it needs one. */
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
