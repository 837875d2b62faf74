/** The four behaviour hints of an MCP tool, and how one is read; not whose word counts (resolve.ts). */

import { ownProperty } from './property.js';

/** Their names, in the order in which people list them. */
export const HINTS = [
  'readOnlyHint',
  'destructiveHint',
  'idempotentHint',
  'openWorldHint',
] as const;

export type Hint = (typeof HINTS)[number];

/** All four hints, each decided. */
export type HintSet = Readonly<Record<Hint, boolean>>;

/** Hints that somebody stated; the others were left open. */
export type StatedHints = { readonly [H in Hint]?: boolean | undefined };

/** The `annotations` of a tool as its author writes them. */
export interface ToolAnnotations extends StatedHints {
  readonly title?: string | undefined;
}

/** What the MCP specification says of a hint that is absent: the most dangerous value of each. */
export const SPEC_DEFAULTS: HintSet = Object.freeze({
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
});

/** What `annotations` states for one hint. Real booleans only: `"true"` and `1` state nothing. */
export function statedHint(annotations: unknown, hint: Hint): boolean | undefined {
  const value = ownProperty(annotations, hint);
  return typeof value === 'boolean' ? value : undefined;
}
