/**
 * Merges an author's annotations with defaults when a tool is registered. Only for our own servers:
 * a gateway must not change what other servers claim.
 */

import type { ToolAnnotations } from './hints.js';

/**
 * The annotations of a tool whose author states none, in a server that only reads its own backend.
 */
export const DEFAULT_ANNOTATIONS: ToolAnnotations = Object.freeze({
  readOnlyHint: true,
  openWorldHint: false,
});

/**
 * The tool's own value counts for each key. An explicit `undefined` counts as missing. Returns a
 * new object.
 */
export function mergeAnnotations(
  own: ToolAnnotations = {},
  defaults: ToolAnnotations = DEFAULT_ANNOTATIONS,
): ToolAnnotations {
  const entries = [...Object.entries(defaults), ...Object.entries(own)];
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
