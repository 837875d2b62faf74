/** The six presets: the objects of the annotations package, with values that the compiler can read. */

import { type PresetName, PRESETS } from '@callsign/effects';

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
 * The compiler recognises a preset by its name, even after `{ ...READ_ONLY_DEFAULT, title }`, so a hint that
 * contradicts it does not compile.
 */
interface PresetHints<Name extends PresetName, OpenWorld extends boolean = PresetTable[Name][3]> {
  readonly readOnlyHint: PresetTable[Name][0];
  readonly destructiveHint: PresetTable[Name][1];
  readonly idempotentHint: PresetTable[Name][2];
  readonly openWorldHint: OpenWorld;
  /** For the compiler alone; no such property exists. */
  readonly [madeFrom]?: Name;
}

/**
 * A preset at a call site. `openWorldHint` may be raised: an external backend does not change what a tool does.
 */
export type Preset = {
  [Name in PresetName]: PresetHints<Name, PresetTable[Name][3] | true>;
}[PresetName];

/** Hints that were written by hand, without a preset. */
export interface NoPreset {
  readonly [madeFrom]?: never;
}

const KNOWN = PRESETS as { readonly [Name in PresetName]: PresetHints<Name> };

/** Reads from the server's own data: a query, a search, a list. */
export const READ_ONLY_DEFAULT: PresetHints<'READ_ONLY_DEFAULT'> = KNOWN.READ_ONLY_DEFAULT;

/** Reads from other systems: a web search, a GET to a public API. */
export const READ_ONLY_OPEN_WORLD: PresetHints<'READ_ONLY_OPEN_WORLD'> = KNOWN.READ_ONLY_OPEN_WORLD;

/** Writes, and a second equal call changes nothing more: an upsert, a set. */
export const WRITE_IDEMPOTENT: PresetHints<'WRITE_IDEMPOTENT'> = KNOWN.WRITE_IDEMPOTENT;

/** Adds and never removes: a create, an append. */
export const WRITE_ADDITIVE: PresetHints<'WRITE_ADDITIVE'> = KNOWN.WRITE_ADDITIVE;

/** Deletes or overwrites. */
export const WRITE_DESTRUCTIVE: PresetHints<'WRITE_DESTRUCTIVE'> = KNOWN.WRITE_DESTRUCTIVE;

/** Acts on other systems and cannot be undone: a mail, a deployment. */
export const WRITE_DESTRUCTIVE_OPEN_WORLD: PresetHints<'WRITE_DESTRUCTIVE_OPEN_WORLD'> =
  KNOWN.WRITE_DESTRUCTIVE_OPEN_WORLD;
