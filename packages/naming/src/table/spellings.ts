/** Every spelling that finds a tool: visible and canonical names, aliases, names under old keys. */

import type { FoundTool, NamedTool } from '../render/named-tool.js';
import type { RenderedName } from '../render/renderer.js';
import type { RenamedKeys } from './renamed-keys.js';
import { canonicalName, serverKeyProblem, type ToolRef } from '../identity/tool-ref.js';

export interface SpellingSources {
  readonly tools: readonly NamedTool[];
  /** Names that more than one tool would have. They find none. */
  readonly contested: ReadonlySet<string>;
  /** Alias → canonical name. */
  readonly aliases: Readonly<Record<string, string>>;
  /** The tool that an alias with this target stands for. */
  readonly aliased: (target: string) => NamedTool | undefined;
  readonly renamed: RenamedKeys;
  readonly renderTool: (ref: ToolRef) => RenderedName;
  readonly formerName: (ref: ToolRef) => string;
}

type Offer = (spelling: string, tool: NamedTool, as: FoundTool['as']) => void;

/** Pauses for each tool of a renamed key. */
export function* collectSpellings(
  sources: SpellingSources,
): Generator<undefined, Map<string, FoundTool>> {
  const { tools, contested, aliases, aliased } = sources;
  const spellings = new Map<string, FoundTool>();
  const offer: Offer = (spelling, tool, as) => {
    if (!spellings.has(spelling) && !contested.has(spelling)) spellings.set(spelling, { tool, as });
  };
  // The first offer of a spelling counts, so the order of these steps is the order of precedence:
  // visible names, canonical names, aliases, old keys.
  for (const tool of tools) offer(tool.name, tool, 'name');
  for (const tool of tools) offer(tool.canonical, tool, 'canonical');
  for (const [alias, target] of Object.entries(aliases)) {
    const tool = aliased(target);
    if (tool) offer(alias, tool, 'alias');
  }
  yield* offerOldKeys(sources, offer);
  return spellings;
}

function* offerOldKeys(sources: SpellingSources, offer: Offer): Generator<undefined, void> {
  const { tools, renamed, renderTool, formerName } = sources;
  for (const [oldKey, key] of renamed.current) {
    for (const tool of tools) {
      yield;
      if (tool.ref.server !== key || serverKeyProblem(oldKey) !== undefined) continue;
      const oldRef = { server: oldKey, tool: tool.ref.tool };
      offer(renderTool(oldRef).name, tool, 'renamed');
      offer(canonicalName(oldRef), tool, 'renamed');
      offer(formerName(oldRef), tool, 'renamed');
    }
  }
}
