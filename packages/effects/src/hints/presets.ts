/**
 * Six named sets of hints for authors of servers. Every hint is explicit. endpoints.ts has the same
 * table by effect.
 */

import type { HintSet } from './hints.js';

function preset(
  readOnlyHint: boolean,
  destructiveHint: boolean,
  idempotentHint: boolean,
  openWorldHint: boolean,
): HintSet {
  return Object.freeze({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint });
}

/** Reads from the server's own data: a query, a search, a list. */
export const READ_ONLY_DEFAULT: HintSet = preset(true, false, true, false);

/** Reads from other systems: a web search, a GET to a public API. */
export const READ_ONLY_OPEN_WORLD: HintSet = preset(true, false, true, true);

/** Writes. An equal second call changes nothing more: an upsert, a set. */
export const WRITE_IDEMPOTENT: HintSet = preset(false, false, true, false);

/** Adds and never removes: a create, an append. */
export const WRITE_ADDITIVE: HintSet = preset(false, false, false, false);

/** Deletes or overwrites. */
export const WRITE_DESTRUCTIVE: HintSet = preset(false, true, false, false);

/** Acts on other systems and cannot be undone: a mail, a deployment. */
export const WRITE_DESTRUCTIVE_OPEN_WORLD: HintSet = preset(false, true, false, true);

/** A preset's name in settings. */
export type PresetName =
  | 'READ_ONLY_DEFAULT'
  | 'READ_ONLY_OPEN_WORLD'
  | 'WRITE_IDEMPOTENT'
  | 'WRITE_ADDITIVE'
  | 'WRITE_DESTRUCTIVE'
  | 'WRITE_DESTRUCTIVE_OPEN_WORLD';

/** The six by name. */
export const PRESETS: Readonly<Record<PresetName, HintSet>> = Object.freeze({
  READ_ONLY_DEFAULT,
  READ_ONLY_OPEN_WORLD,
  WRITE_IDEMPOTENT,
  WRITE_ADDITIVE,
  WRITE_DESTRUCTIVE,
  WRITE_DESTRUCTIVE_OPEN_WORLD,
});
