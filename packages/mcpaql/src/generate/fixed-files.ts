/** The files of a generated package that are the same for every adapter. */

import { quoted } from './type-script.js';

const SDK = quoted('@modelcontextprotocol/server');
const STDIO = quoted('@modelcontextprotocol/server/stdio');

const CALLS = `/** Answers calls of the tools, and of operations by their names. */

import { adapter } from './adapter.js';
import { ENDPOINT_OF, type OperationName, type OperationParams } from './operations.js';
import type { Operation } from './runtime/adapter/adapter.js';
import { createHttpExecutor } from './runtime/execute/http-executor.js';
import type { Call, Endpoint } from './runtime/house.js';
import type { Catalogue, CatalogueEntry } from './runtime/introspect/catalogue.js';
import { operationInfo } from './runtime/introspect/operation-info.js';
import { createDispatcher } from './runtime/protocol/dispatch.js';
import type { Envelope, Warning } from './runtime/protocol/envelope.js';
import { LIMITS } from './runtime/protocol/limits.js';
import { createRunner } from './runtime/protocol/runner.js';
import { TOOL_NAMES, TOOLS } from './tools.js';

export interface CallsOptions {
  /** Where credentials are found; our own environment if absent. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** In place of the adapter's own address. */
  readonly baseUrl?: string;
}

export type ToolResult = {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly isError?: boolean;
};

export interface Calls {
  /** Answers \`tools/call\`; \`undefined\` for a tool that is not there. */
  callTool(name: string, args: unknown, signal?: AbortSignal): Promise<ToolResult | undefined>;
  /** Does one operation, and gives its envelope. */
  run<Name extends OperationName>(
    operation: Name,
    params: OperationParams[Name],
    signal?: AbortSignal,
  ): Promise<Envelope>;
  close(): Promise<void>;
}

interface Entry extends CatalogueEntry {
  readonly operation: Operation;
}

const CATALOGUE: Catalogue<Entry> = {
  name: adapter.name,
  displayName: adapter.displayName,
  toolNames: TOOL_NAMES,
  operations: new Map(
    Array.from(adapter.operations.values(), (operation) => {
      const { name, endpoint, description } = operation;
      const info: Entry['info'] = () => {
        return operationInfo(operation, TOOL_NAMES.get(endpoint)!, adapter.types);
      };
      return [name, { name, endpoint, description, operation, info }];
    }),
  ),
  types: adapter.types,
  capabilities: {
    batch: true,
    field_selection: true,
    aggregations: false,
    computed_fields: false,
    pagination: true,
    relationship_queries: false,
    warnings: true,
    confirmation: true,
    dangerous_operations: true,
  },
  limits: LIMITS,
};

export function createCalls({ env = process.env, ...options }: CallsOptions = {}): Calls {
  const { execute, close } = createHttpExecutor(adapter, { ...options, env });
  const runOperation = createRunner(adapter, execute);
  const dispatch = createDispatcher<Entry>(
    () => CATALOGUE,
    async ({ operation }, params, call) => {
      return { kind: 'envelope', envelope: await runOperation(operation, params, call) };
    },
  );

  async function send(
    endpoint: Endpoint,
    args: unknown,
    signal: AbortSignal | undefined,
    notices: readonly Warning[],
  ): Promise<ToolResult> {
    const { json } = await dispatch(endpoint, callOf(args, signal), notices);
    return JSON.parse(json) as ToolResult;
  }

  return {
    async callTool(name, args, signal) {
      const tool = TOOLS.get(name);
      if (!tool) return undefined;
      const { endpoint, successor } = tool;
      return send(endpoint, args, signal, successor === undefined ? [] : [deprecation(name, successor)]);
    },
    async run(operation, params, signal) {
      const { content } = await send(ENDPOINT_OF[operation], { operation, params }, signal, []);
      return JSON.parse(content[0]!.text) as Envelope;
    },
    close,
  };
}

function callOf(args: unknown, signal: AbortSignal | undefined): Call {
  const call = {
    params: JSON.stringify({ arguments: args ?? {} }),
    caller: { id: '', era: 'session' as const },
    isCancelled: signal?.aborted ?? false,
    onCancel: undefined as Call['onCancel'],
  };
  signal?.addEventListener(
    'abort',
    () => {
      call.isCancelled = true;
      call.onCancel?.(undefined);
    },
    { once: true },
  );
  return call;
}

function deprecation(old: string, name: string): Warning {
  const message = \`'\${old}' is an old name; call '\${name}'.\`;
  return { code: 'DEPRECATION_WARNING', message, severity: 'medium' };
}
`;

const SERVER = `/** The adapter as an MCP server. */

import { ProtocolError, ProtocolErrorCode, Server } from ${SDK};

import { adapter } from './adapter.js';
import type { Calls } from './calls.js';
import { TOOLS } from './tools.js';

export function createServer(calls: Calls): Server {
  const { name, displayName: title, version } = adapter;
  const server = new Server({ name, title, version }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({
    tools: Array.from(TOOLS.values(), ({ definition }) => definition),
  }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const result = await calls.callTool(params.name, params.arguments, mcpReq.signal);
    if (result) return result;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, \`Tool not found: \${params.name}\`);
  });
  return server;
}
`;

const MAIN = `#!/usr/bin/env node
/** Serves the adapter on standard input and output. */

import { serveStdio } from ${STDIO};

import { createCalls } from './calls.js';
import { createServer } from './server.js';

const baseUrl = process.env['MCPAQL_TARGET_BASE_URL'];
const calls = createCalls(baseUrl === undefined ? {} : { baseUrl });
serveStdio(() => createServer(calls));
`;

const INDEX = `export { adapter } from './adapter.js';
export { createCalls } from './calls.js';
export type { Calls, CallsOptions, ToolResult } from './calls.js';
export type { OperationName, OperationParams } from './operations.js';
export { createServer } from './server.js';
export { TOOLS } from './tools.js';
`;

const TSCONFIG = {
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023'],
    module: 'nodenext',
    moduleResolution: 'nodenext',
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noImplicitOverride: true,
    noFallthroughCasesInSwitch: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    declaration: true,
    rootDir: '.',
    outDir: 'dist',
  },
  include: ['src', 'test'],
};

export const FIXED_FILES: ReadonlyMap<string, string> = new Map([
  ['.gitignore', 'node_modules/\ndist/\n'],
  ['tsconfig.json', `${JSON.stringify(TSCONFIG, null, 2)}\n`],
  ['src/calls.ts', CALLS],
  ['src/server.ts', SERVER],
  ['src/main.ts', MAIN],
  ['src/index.ts', INDEX],
]);
