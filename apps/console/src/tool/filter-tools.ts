/** Finds tools by words and by label. */

import type { FoundTool } from '../live/gateway-state.js';

/** An empty text matches everything. */
export interface ToolFilter {
  /** All words must occur, in any order. */
  readonly text: string;
  readonly server: string;
  readonly risk: string;
  readonly ground: string;
}

export function filterTools(all: readonly FoundTool[], filter: ToolFilter): FoundTool[] {
  const words = filter.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const { server, risk, ground } = filter;
  return all.filter(
    (tool) =>
      (server === '' || tool.server === server) &&
      (risk === '' || tool.risk === risk) &&
      (ground === '' || (ground === 'lapsed' ? tool.hasLapsed : tool.ground === ground)) &&
      words.every((word) => tool.haystack.includes(word)),
  );
}
