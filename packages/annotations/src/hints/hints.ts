/** The four behaviour hints of an MCP tool, and how one is read. Which source counts is decided in label.ts. */

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

/** Hints that were stated. The others are missing. */
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

/** The value of one hint in `annotations`. Real booleans only: `"true"` and `1` state nothing. */
export function statedHint(annotations: unknown, hint: Hint): boolean | undefined {
  const value = ownProperty(annotations, hint);
  return typeof value === 'boolean' ? value : undefined;
}
