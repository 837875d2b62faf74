/** What is wrong, or could be mistaken, among the names of one table. Finds; changes nothing. */

import { skeleton } from './confusables.js';
import type { FoundTool, NamedTool, NameTableOptions } from './named-tool.js';
import { serverKeyProblem, type ToolRef } from './tool-ref.js';

export type NameProblemCode =
  | 'invalid-key'
  | 'invalid-tool'
  | 'duplicate'
  | 'collision'
  | 'case-collision'
  | 'confusable'
  | 'shadowed-name'
  | 'alias-target'
  | 'alias-taken'
  | 'renamed-key-in-use'
  | 'separator-in-key'
  | 'illegal-characters'
  | 'too-long';

export interface NameProblem {
  readonly code: NameProblemCode;
  /** `error`: something cannot be called by its name. `info`: a name was changed, and works. */
  readonly severity: 'error' | 'warning' | 'info';
  /** The canonical names concerned. */
  readonly tools: readonly string[];
  readonly message: string;
  readonly advice: string;
}

export interface TableContents {
  readonly tools: readonly NamedTool[];
  readonly rejected: readonly ToolRef[];
  readonly duplicates: readonly NamedTool[];
  readonly byCanonical: ReadonlyMap<string, NamedTool>;
  readonly spellings: ReadonlyMap<string, FoundTool>;
  readonly options: NameTableOptions;
}

/** All problems, in an order that depends on the set of tools alone. */
export function findNameProblems(contents: TableContents): NameProblem[] {
  const found = [
    ...rejections(contents),
    ...duplicates(contents),
    ...lookalikes(contents),
    ...shadowed(contents),
    ...aliases(contents),
    ...renamedKeys(contents),
    ...changedNames(contents),
  ];
  const key = (problem: NameProblem): string => `${problem.code}\0${problem.tools.join('\0')}`;
  return found
    .map((problem) => ({ problem, key: key(problem) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
    .map(({ problem }) => problem);
}

function* rejections({ rejected }: TableContents): Generator<NameProblem> {
  for (const { server, tool } of rejected) {
    const tools = [`${server}:${tool}`];
    const wrongKey = serverKeyProblem(server);
    if (wrongKey !== undefined) {
      const advice = 'Change the key in the configuration.';
      yield { code: 'invalid-key', severity: 'error', tools, message: wrongKey, advice };
    } else {
      const message = `Server "${server}" lists a tool without a name.`;
      const advice = 'Report it to the author of that server; the tool cannot be called.';
      yield { code: 'invalid-tool', severity: 'error', tools, message, advice };
    }
  }
}

function* duplicates(contents: TableContents): Generator<NameProblem> {
  for (const name of new Set(contents.duplicates.map(({ canonical }) => canonical))) {
    const message = `${name} is listed more than once by its server; the first one counts.`;
    const advice = 'Report it to the author of that server.';
    yield { code: 'duplicate', severity: 'warning', tools: [name], message, advice };
  }
}

/** Same name, same but for case, same to the eye: each pair is told once, by its worst. */
function* lookalikes({ tools, options }: TableContents): Generator<NameProblem> {
  for (const group of groupsBy(tools, ({ canonical }) => skeleton(canonical))) {
    const sameCase = groupsBy(group, ({ canonical }) => canonical.toLowerCase());
    for (const alike of sameCase) {
      const message = `${listed(alike)} differ only in upper and lower case.`;
      const advice = 'Rename one: people and some clients do not see the difference.';
      yield { code: 'case-collision', severity: 'warning', tools: sorted(alike), message, advice };
    }
    if (new Set(group.map(({ canonical }) => canonical.toLowerCase())).size === 1) continue;
    const message = `${listed(group)} look alike.`;
    const advice = 'Rename one, or drop the server that imitates the other.';
    yield { code: 'confusable', severity: 'warning', tools: sorted(group), message, advice };
  }
  for (const group of groupsBy(tools, ({ name }) => name)) {
    const name = group[0]!.name;
    const message = `${listed(group)} would all be called ${name} in ${options.profile.label}.`;
    const advice = 'None is callable by that name; use server:tool, or a pattern with {server}.';
    yield { code: 'collision', severity: 'error', tools: sorted(group), message, advice };
  }
}

/** Another tool's visible name is spelled like this tool's canonical one. */
function* shadowed({ tools, spellings }: TableContents): Generator<NameProblem> {
  for (const { canonical } of tools) {
    const other = spellings.get(canonical)?.tool.canonical;
    if (other === undefined || other === canonical) continue;
    const message = `"${canonical}" is the visible name of ${other}, and that is what a call gets.`;
    const advice = 'Choose a pattern in which server comes before tool.';
    yield {
      code: 'shadowed-name',
      severity: 'warning',
      tools: [canonical, other],
      message,
      advice,
    };
  }
}

function* aliases({ options, byCanonical, spellings }: TableContents): Generator<NameProblem> {
  for (const [alias, target] of Object.entries(options.aliases ?? {})) {
    if (!byCanonical.has(target)) {
      const message = `Alias "${alias}" stands for ${target}, which no server offers.`;
      const advice = 'Correct the target, or remove the alias.';
      yield { code: 'alias-target', severity: 'warning', tools: [target], message, advice };
    } else if (spellings.get(alias)?.tool.canonical !== target) {
      const owner = spellings.get(alias)?.tool.canonical ?? 'several tools';
      const message = `Alias "${alias}" for ${target} is already the name of ${owner}.`;
      const advice = 'Choose another alias.';
      yield { code: 'alias-taken', severity: 'warning', tools: [target], message, advice };
    }
  }
}

function* renamedKeys({ tools, options }: TableContents): Generator<NameProblem> {
  const keys = new Set(tools.map(({ ref }) => ref.server));
  for (const [oldKey, newKey] of Object.entries(options.renamed ?? {})) {
    if (!keys.has(oldKey)) continue;
    const message = `"${oldKey}" was renamed to "${newKey}", but a server has the old key again.`;
    const advice = `Calls go to the live server; remove "${oldKey}" from renamed.`;
    yield { code: 'renamed-key-in-use', severity: 'warning', tools: [oldKey], message, advice };
  }
}

function* changedNames({ tools, options }: TableContents): Generator<NameProblem> {
  const { label, separator } = options.profile;
  const keys = new Set<string>();
  for (const { canonical, name, ref, reasons } of tools) {
    const changed = (code: NameProblemCode, why: string, advice: string): NameProblem => ({
      code,
      severity: 'info',
      tools: [canonical],
      message: `${canonical} is called ${name} in ${label}: ${why}.`,
      advice,
    });
    if (reasons.includes('characters') || reasons.includes('first-character')) {
      const advice = 'Use letters, digits and underscores, beginning with a letter.';
      yield changed(
        'illegal-characters',
        'it holds characters that are not accepted there',
        advice,
      );
    }
    if (reasons.includes('length')) {
      yield changed('too-long', 'it is longer than accepted there', 'Use a shorter server key.');
    }
    const clash = reasons.includes('ambiguous') && separator !== null && !keys.has(ref.server);
    if (clash) {
      keys.add(ref.server);
      const message = `Server key "${ref.server}" runs into the separator "${separator}" of ${label}.`;
      const advice = 'Use a key without it, so that names stay as they are.';
      yield { code: 'separator-in-key', severity: 'info', tools: [ref.server], message, advice };
    }
  }
}

function groupsBy(
  tools: readonly NamedTool[],
  key: (tool: NamedTool) => string,
): (readonly NamedTool[])[] {
  const groups = new Map<string, NamedTool[]>();
  for (const tool of tools) {
    const group = groups.get(key(tool));
    if (group) group.push(tool);
    else groups.set(key(tool), [tool]);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

function sorted(tools: readonly NamedTool[]): string[] {
  return tools.map(({ canonical }) => canonical).toSorted();
}

function listed(tools: readonly NamedTool[]): string {
  return sorted(tools).join(' and ');
}
