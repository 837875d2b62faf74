/**
 * The four behaviour hints of an MCP tool, and how one is read. label.ts decides which source
 * counts.
 */

import { ownProperty } from './property.js';

/** The names of the hints, in the order in which people list them. */
export const HINTS = [
  'readOnlyHint',
  'destructiveHint',
  'idempotentHint',
  'openWorldHint',
] as const;

/** The name of one hint in the `annotations` of a tool. */
export type Hint = (typeof HINTS)[number];

/** All four hints, each with a value. */
export type HintSet = Readonly<Record<Hint, boolean>>;

/** Hints that were stated. A missing hint is unknown, not false. */
export type StatedHints = { readonly [H in Hint]?: boolean | undefined };

/** The `annotations` of a tool as its author writes them. */
export interface ToolAnnotations extends StatedHints {
  readonly title?: string | undefined;
}

/** The defaults of the MCP specification: the most dangerous value of each hint. */
export const SPEC_DEFAULTS: HintSet = Object.freeze({
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
});

/** The value of one hint in `annotations`. Only booleans count: `"true"` and `1` state nothing. */
export function statedHint(annotations: unknown, hint: Hint): boolean | undefined {
  const value = ownProperty(annotations, hint);
  return typeof value === 'boolean' ? value : undefined;
}
