/**
 * Many tools under one client's rules: their names, the problems among them, and the lookup by
 * name. For lists and diagnostics: the hub's name index answers calls.
 */

import {
  toolNotFound,
  malformedName,
  missingPrefix,
  type NameError,
} from '../identity/name-error.js';
import { createFormerNames } from '../render/former-name.js';
import { finished } from './finished.js';
import { findNameProblems, type NameProblem } from './name-problems.js';
import type { FoundTool, NamedTool, NameTableOptions } from '../render/named-tool.js';
import { followRenames } from './renamed-keys.js';
import { createToolRenderer } from '../render/renderer.js';
import { buildSuggester, type Suggester } from './suggester.js';
import {
  canonicalName,
  parseCanonicalName,
  serverKeyProblem,
  type ToolRef,
} from '../identity/tool-ref.js';

/** A fixed set of tools. Create a new table when the tools change. */
export interface NameTable {
  /** In the given order, each identity once. */
  readonly tools: readonly NamedTool[];
  readonly problems: readonly NameProblem[];
  /** Finds the problems in parts. Afterwards `problems` has them at once. */
  findProblems(): Generator<undefined, void>;
  /** Finds a tool by any of its spellings. A name that several tools share finds none of them. */
  find(spelling: string): FoundTool | undefined;
  /**
   * The tools that a wrong name probably means, best first. At most three, unless `limit` is set.
   */
  suggest(name: string, limit?: number): NamedTool[];
  /**
   * The error for a name that `find` does not know, with suggestions in the client's own spelling.
   */
  explainUnknown(name: string): NameError;
  /** The same in parts. */
  explaining(name: string): Generator<undefined, NameError>;
}

/** Renders every name at once. Problems, suggestions and former names are computed on demand. */
export function createNameTable(refs: Iterable<ToolRef>, options: NameTableOptions): NameTable {
  return finished(buildNameTable(refs, options));
}

/** The same in parts: it pauses for each tool. */
export function* buildNameTable(
  refs: Iterable<ToolRef>,
  options: NameTableOptions,
): Generator<undefined, NameTable> {
  const renderTool = createToolRenderer(options);
  const formerName = createFormerNames(options);
  const tools: NamedTool[] = [];
  const rejected: ToolRef[] = [];
  const duplicates: NamedTool[] = [];
  const byCanonical = new Map<string, NamedTool>();
  for (const ref of refs) {
    yield;
    if (serverKeyProblem(ref.server) !== undefined || ref.tool === '') {
      rejected.push(ref);
      continue;
    }
    const canonical = canonicalName(ref);
    const tool = { ref, canonical, ...renderTool(ref) };
    if (byCanonical.has(canonical)) duplicates.push(tool);
    else {
      byCanonical.set(canonical, tool);
      tools.push(tool);
    }
  }

  const spellings = new Map<string, FoundTool>();
  const contested = contestedNames(tools);
  const offer = (spelling: string, tool: NamedTool, as: FoundTool['as']): void => {
    if (!spellings.has(spelling) && !contested.has(spelling)) spellings.set(spelling, { tool, as });
  };
  // The first offer of a spelling counts, so the order of these loops is the order of precedence:
  // visible names, canonical names, aliases, old keys.
  for (const tool of tools) offer(tool.name, tool, 'name');
  for (const tool of tools) offer(tool.canonical, tool, 'canonical');
  const renamed = followRenames(options.renamed ?? {});
  const aliased = (target: string): NamedTool | undefined => {
    const parsed = parseCanonicalName(target);
    const key = parsed.ok ? renamed.current.get(parsed.ref.server) : undefined;
    const moved =
      parsed.ok && key !== undefined ? canonicalName({ ...parsed.ref, server: key }) : target;
    return byCanonical.get(target) ?? byCanonical.get(moved);
  };
  for (const [alias, target] of Object.entries(options.aliases ?? {})) {
    const tool = aliased(target);
    if (tool) offer(alias, tool, 'alias');
  }
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

  let former: ReadonlyMap<string, NamedTool> | undefined;
  let problems: NameProblem[] | undefined;
  const contents = { tools, rejected, duplicates, spellings, renamed, aliased, options };
  let suggester: Suggester | undefined;
  const suggesting = function* (name: string, limit = 3): Generator<undefined, NamedTool[]> {
    suggester ??= yield* buildSuggester(tools);
    return yield* suggester(name, limit);
  };
  const explaining: NameTable['explaining'] = function* (name) {
    const suggested = yield* suggesting(name);
    // A name that several tools share finds none of them. Their canonical names do.
    const meant = suggested.map((tool) => (contested.has(tool.name) ? tool.canonical : tool.name));
    return unknownName(name, options, meant);
  };
  return {
    tools,
    // Computed on demand: most tables are never asked for their problems.
    get problems() {
      return (problems ??= finished(findNameProblems(contents)));
    },
    *findProblems() {
      problems ??= yield* findNameProblems(contents);
    },
    find: (spelling) => {
      const found = spellings.get(spelling);
      if (found || contested.has(spelling)) return found;
      const tool = (former ??= formerNames(tools, formerName)).get(spelling);
      return tool && { tool, as: 'former' };
    },
    suggest: (name, limit) => finished(suggesting(name, limit)),
    explainUnknown: (name) => finished(explaining(name)),
    explaining,
  };
}

function formerNames(
  tools: readonly NamedTool[],
  formerName: (ref: ToolRef) => string,
): Map<string, NamedTool> {
  return new Map(tools.map((tool) => [formerName(tool.ref), tool]));
}

/** Names that more than one tool would have. */
function contestedNames(tools: readonly NamedTool[]): Set<string> {
  const seen = new Set<string>();
  const contested = new Set<string>();
  for (const { name } of tools) (seen.has(name) ? contested : seen).add(name);
  return contested;
}

/** Checks in the order of the convention: first a prefix, then both parts, then a known tool. */
function unknownName(
  name: string,
  { profile, pattern }: NameTableOptions,
  suggestions: readonly string[],
): NameError {
  const parsed = parseCanonicalName(name);
  if (!parsed.ok && parsed.error.kind === 'malformed') return malformedName(name, suggestions);
  const { separator } = profile;
  const isPrefixed = pattern
    ? pattern.parse(name) !== undefined
    : separator === null || name.includes(separator);
  return parsed.ok || isPrefixed
    ? toolNotFound(name, suggestions)
    : missingPrefix(name, suggestions);
}
