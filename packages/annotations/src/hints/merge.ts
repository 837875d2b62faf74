/** Joining an author's annotations with defaults at registration; a gateway must not do this to strangers' tools. */

import type { ToolAnnotations } from './hints.js';

/** For a server whose tools only read its own backend: what a tool says when its author says nothing. */
export const DEFAULT_ANNOTATIONS: ToolAnnotations = Object.freeze({
  readOnlyHint: true,
  openWorldHint: false,
});

/** Key by key, the tool's own word wins; an explicit `undefined` is no word. Neither input changes. */
export function mergeAnnotations(
  own: ToolAnnotations = {},
  defaults: ToolAnnotations = DEFAULT_ANNOTATIONS,
): ToolAnnotations {
  const entries = [...Object.entries(defaults), ...Object.entries(own)];
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
