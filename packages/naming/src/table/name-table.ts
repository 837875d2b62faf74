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
import { findNameProblems, type NameProblem, type TableContents } from './name-problems.js';
import type { FoundTool, NamedTool, NameTableOptions } from '../render/named-tool.js';
import { followRenames, type RenamedKeys } from './renamed-keys.js';
import { createToolRenderer, type RenderedName } from '../render/renderer.js';
import { collectSpellings } from './spellings.js';
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
  /** `explainUnknown` in parts. `rank`: suggestions with a lower one come first. */
  explaining(name: string, rank?: (tool: NamedTool) => number): Generator<undefined, NameError>;
}

/** Renders every name at once. Problems, suggestions and former names are computed on demand. */
export function createNameTable(refs: Iterable<ToolRef>, options: NameTableOptions): NameTable {
  return finished(buildNameTable(refs, options));
}

/** `createNameTable` in parts: it pauses for each tool. */
export function* buildNameTable(
  refs: Iterable<ToolRef>,
  options: NameTableOptions,
): Generator<undefined, NameTable> {
  const renderTool = createToolRenderer(options);
  const formerName = createFormerNames(options);
  const named: NamedTools = { tools: [], rejected: [], duplicates: [], byCanonical: new Map() };
  for (const ref of refs) {
    yield;
    addTool(named, ref, renderTool);
  }
  const { byCanonical, ...found } = named;
  const { tools } = found;
  const contested = contestedNames(tools);
  const renamed = followRenames(options.renamed ?? {});
  const aliased = (target: string): NamedTool | undefined =>
    byCanonical.get(target) ?? byCanonical.get(movedName(target, renamed));
  const { aliases = {} } = options;
  const sources = { tools, contested, aliases, aliased, renamed, renderTool, formerName };
  const spellings = yield* collectSpellings(sources);
  return createLookup({ ...found, spellings, renamed, aliased, options }, contested, formerName);
}

/** The tools of a table, while it is built. */
interface NamedTools {
  readonly tools: NamedTool[];
  readonly rejected: ToolRef[];
  readonly duplicates: NamedTool[];
  readonly byCanonical: Map<string, NamedTool>;
}

function addTool(
  { tools, rejected, duplicates, byCanonical }: NamedTools,
  ref: ToolRef,
  renderTool: (ref: ToolRef) => RenderedName,
): void {
  if (serverKeyProblem(ref.server) !== undefined || ref.tool === '') {
    rejected.push(ref);
    return;
  }
  const canonical = canonicalName(ref);
  const tool = { ref, canonical, ...renderTool(ref) };
  if (byCanonical.has(canonical)) duplicates.push(tool);
  else {
    byCanonical.set(canonical, tool);
    tools.push(tool);
  }
}

/** A canonical name with the current key of its server. */
function movedName(canonical: string, { current }: RenamedKeys): string {
  const parsed = parseCanonicalName(canonical);
  const key = parsed.ok ? current.get(parsed.ref.server) : undefined;
  return parsed.ok && key !== undefined ? canonicalName({ ...parsed.ref, server: key }) : canonical;
}

/** Former names, problems and suggestions are computed on demand: most tables never need them. */
function createLookup(
  contents: TableContents,
  contested: ReadonlySet<string>,
  formerName: (ref: ToolRef) => string,
): NameTable {
  const { tools, spellings, options } = contents;
  let former: ReadonlyMap<string, NamedTool> | undefined;
  let problems: NameProblem[] | undefined;
  let suggester: Suggester | undefined;
  const suggesting = function* (name: string, limit = 3): Generator<undefined, NamedTool[]> {
    suggester ??= yield* buildSuggester(tools);
    return yield* suggester(name, limit);
  };
  const explaining: NameTable['explaining'] = function* (name, rank = () => 0) {
    const suggested = (yield* suggesting(name)).toSorted((a, b) => rank(a) - rank(b));
    // A name that several tools share finds none of them. Their canonical names do.
    const meant = suggested.map((tool) => (contested.has(tool.name) ? tool.canonical : tool.name));
    return unknownName(name, options, meant);
  };
  return {
    tools,
    get problems() {
      return (problems ??= finished(findNameProblems(contents)));
    },
    *findProblems() {
      problems ??= yield* findNameProblems(contents);
    },
    find: (spelling) => {
      const found = spellings.get(spelling);
      if (found || contested.has(spelling)) return found;
      const tool = (former ??= formerNames(tools, formerName, options)).get(spelling);
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
  options: NameTableOptions,
): Map<string, NamedTool> {
  const withKey = createToolRenderer({ ...options, keys: [] });
  return new Map(
    tools.flatMap((tool): [string, NamedTool][] => [
      [withKey(tool.ref).name, tool],
      [formerName(tool.ref), tool],
    ]),
  );
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
