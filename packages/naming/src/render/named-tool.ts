/** A tool with its name for one client, and how a spelling found it. */

import type { ChangeReason, NameForm, RendererOptions } from './renderer.js';
import type { ToolRef } from '../identity/tool-ref.js';

/** One tool and its name for one client. */
export interface NamedTool {
  readonly ref: ToolRef;
  /** `server:tool`. */
  readonly canonical: string;
  /** The name that the client sees. */
  readonly name: string;
  readonly form: NameForm;
  readonly exact: boolean;
  /** Why the name is not exact. Empty for an exact name. */
  readonly reasons: readonly ChangeReason[];
}

/** How names are made, and the further names that the operator gave. */
export interface NameTableOptions extends RendererOptions {
  /** Additional names: alias → canonical name. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Server keys that were changed: old key → new key. Old names stay callable. */
  readonly renamed?: Readonly<Record<string, string>>;
}

/** The result of a lookup: the tool, and which of its spellings was used. */
export interface FoundTool {
  readonly tool: NamedTool;
  /** The kind of spelling. `former`: the name that earlier versions of Callsign gave the tool. */
  readonly as: 'name' | 'canonical' | 'alias' | 'renamed' | 'former';
}
