/** The official SDK's server, as little of it as we need, so that one of version 1 fits as well. */

import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';

/** `McpServer` of the SDK, version 1 or 2. With `never` for what differs between them, both are accepted. */
export interface ToolServer {
  registerTool(name: string, definition: never, callback: never): unknown;
}

/** What the SDK gives back for a tool: a handle to update, disable or remove it. */
export type Registered<Server extends ToolServer> = ReturnType<Server['registerTool']>;

/** What a handler may answer. */
export type ToolResult = CallToolResult | InputRequiredResult;
