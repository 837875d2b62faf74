/** The parts of the official SDK's server that we need, so that version 1 fits too. */

import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';

/** `McpServer` of the SDK, version 1 or 2. Parts that differ are `never`, so that both are accepted. */
export interface ToolServer {
  registerTool(name: string, definition: never, callback: never): unknown;
}

/** What the SDK returns for a tool: a handle to update, disable or remove it. */
export type Registered<Server extends ToolServer> = ReturnType<Server['registerTool']>;

/** What a handler may answer. */
export type ToolResult = CallToolResult | InputRequiredResult;
