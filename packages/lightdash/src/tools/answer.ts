/** Wraps the data of a tool: as structured content, and as text for clients that read only text. */

import type { CallToolResult } from '@modelcontextprotocol/server';

export function answer(data: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data };
}
