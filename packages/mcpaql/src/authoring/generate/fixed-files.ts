/** The files of a generated package that are the same for every adapter. */

import { RUNTIME } from './runtime-files.js';
import { quoted } from './type-script.js';

const SDK = quoted('@modelcontextprotocol/server');
const STDIO = quoted('@modelcontextprotocol/server/stdio');

const CALLS = `/** Answers calls of the tools, and of operations by their names. */

import { type AdapterCalls, type CallsOptions, createAdapterCalls, type Envelope } from ${RUNTIME};

import { adapter } from './adapter.js';
import type { OperationName, OperationParams } from './operations.js';
import { TOOL_NAMES, TOOLS } from './tools.js';

export interface Calls extends Pick<AdapterCalls, 'callTool' | 'close'> {
  /** Runs one operation and returns its envelope. */
  run<Name extends OperationName>(
    operation: Name,
    params: OperationParams[Name],
    signal?: AbortSignal,
  ): Promise<Envelope>;
}

export function createCalls(options: CallsOptions = {}): Calls {
  return createAdapterCalls({ adapter, toolNames: TOOL_NAMES, tools: TOOLS }, options);
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
    const { name, arguments: args, _meta } = params;
    const result = await calls.callTool(name, args, mcpReq.signal, _meta);
    if (result) return result;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, \`Tool not found: \${name}\`);
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

const INDEX = `export type { CallsOptions, ToolResult } from ${RUNTIME};
export { adapter } from './adapter.js';
export { createCalls } from './calls.js';
export type { Calls } from './calls.js';
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
