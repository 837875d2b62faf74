/** The words in which a table of names speaks: a tool with its name, and how it was found. */

import type { HashReason, RendererOptions } from './renderer.js';
import type { ToolRef } from './tool-ref.js';

export interface NamedTool {
  readonly ref: ToolRef;
  /** `server:tool`. */
  readonly canonical: string;
  /** What the client sees. */
  readonly name: string;
  readonly exact: boolean;
  /** Why the name is not exact; empty when it is. */
  readonly reasons: readonly HashReason[];
}

export interface NameTableOptions extends RendererOptions {
  /** Second names: alias → canonical name. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Server keys that were changed: old key → new key. Old names stay callable. */
  readonly renamed?: Readonly<Record<string, string>>;
}

export interface FoundTool {
  readonly tool: NamedTool;
  /** The kind of spelling that was used. */
  readonly as: 'name' | 'canonical' | 'alias' | 'renamed';
}
