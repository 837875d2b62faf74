/** The answer of a tool: data for programs, and the same as text for clients without support for data. */

import type { CallToolResult } from '@modelcontextprotocol/server';

export function answer(data: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data };
}
