/**
 * Merges an author's annotations with defaults at registration. A gateway must not do this to the tools of
 * servers.
 */

import type { ToolAnnotations } from './hints.js';

/** The annotations of a tool whose author states none, for a server that only reads its own backend. */
export const DEFAULT_ANNOTATIONS: ToolAnnotations = Object.freeze({
  readOnlyHint: true,
  openWorldHint: false,
});

/** For each key the tool's own value wins. An explicit `undefined` counts as missing. Neither input changes. */
export function mergeAnnotations(
  own: ToolAnnotations = {},
  defaults: ToolAnnotations = DEFAULT_ANNOTATIONS,
): ToolAnnotations {
  const entries = [...Object.entries(defaults), ...Object.entries(own)];
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
