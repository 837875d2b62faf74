/** Six named hint sets for server authors, every hint explicit; endpoints.ts shows the same table by effect. */

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

/** Reads from the world outside: a web search, a GET to a public API. */
export const READ_ONLY_OPEN_WORLD: HintSet = preset(true, false, true, true);

/** Writes so that a second call changes nothing more: an upsert, a set. */
export const WRITE_IDEMPOTENT: HintSet = preset(false, false, true, false);

/** Adds and never takes away: a create, an append. */
export const WRITE_ADDITIVE: HintSet = preset(false, false, false, false);

/** Deletes or overwrites. */
export const WRITE_DESTRUCTIVE: HintSet = preset(false, true, false, false);

/** Does outside what cannot be taken back: a mail, a deployment. */
export const WRITE_DESTRUCTIVE_OPEN_WORLD: HintSet = preset(false, true, false, true);

/** A preset as settings name it. */
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
