/** The six presets, the same objects as the annotations room's, with values that the compiler can read. */

import { type PresetName, PRESETS } from '@callsign/annotations';

/** Read-only, destructive, idempotent, open world. */
interface PresetTable {
  READ_ONLY_DEFAULT: [true, false, true, false];
  READ_ONLY_OPEN_WORLD: [true, false, true, true];
  WRITE_IDEMPOTENT: [false, false, true, false];
  WRITE_ADDITIVE: [false, false, false, false];
  WRITE_DESTRUCTIVE: [false, true, false, false];
  WRITE_DESTRUCTIVE_OPEN_WORLD: [false, true, false, true];
}

declare const madeFrom: unique symbol;

/**
 * A preset is known to the compiler by its name, also after `{ ...READ_ONLY_DEFAULT, title }`, so that a
 * hint which contradicts it does not compile.
 */
interface PresetHints<Name extends PresetName, OpenWorld extends boolean = PresetTable[Name][3]> {
  readonly readOnlyHint: PresetTable[Name][0];
  readonly destructiveHint: PresetTable[Name][1];
  readonly idempotentHint: PresetTable[Name][2];
  readonly openWorldHint: OpenWorld;
  /** For the compiler alone; no such property exists. */
  readonly [madeFrom]?: Name;
}

/** A preset at a call site. `openWorldHint` may be raised: what a tool does stays the same when its backend lies outside. */
export type Preset = {
  [Name in PresetName]: PresetHints<Name, PresetTable[Name][3] | true>;
}[PresetName];

/** Hints that were written by hand and carry no preset's name. */
export interface NoPreset {
  readonly [madeFrom]?: never;
}

const KNOWN = PRESETS as { readonly [Name in PresetName]: PresetHints<Name> };

/** Reads from the server's own data: a query, a search, a list. */
export const READ_ONLY_DEFAULT: PresetHints<'READ_ONLY_DEFAULT'> = KNOWN.READ_ONLY_DEFAULT;

/** Reads from the world outside: a web search, a GET to a public API. */
export const READ_ONLY_OPEN_WORLD: PresetHints<'READ_ONLY_OPEN_WORLD'> = KNOWN.READ_ONLY_OPEN_WORLD;

/** Writes so that a second call changes nothing more: an upsert, a set. */
export const WRITE_IDEMPOTENT: PresetHints<'WRITE_IDEMPOTENT'> = KNOWN.WRITE_IDEMPOTENT;

/** Adds and never takes away: a create, an append. */
export const WRITE_ADDITIVE: PresetHints<'WRITE_ADDITIVE'> = KNOWN.WRITE_ADDITIVE;

/** Deletes or overwrites. */
export const WRITE_DESTRUCTIVE: PresetHints<'WRITE_DESTRUCTIVE'> = KNOWN.WRITE_DESTRUCTIVE;

/** Does outside what cannot be taken back: a mail, a deployment. */
export const WRITE_DESTRUCTIVE_OPEN_WORLD: PresetHints<'WRITE_DESTRUCTIVE_OPEN_WORLD'> =
  KNOWN.WRITE_DESTRUCTIVE_OPEN_WORLD;
