/** Finds problems among the names of one table: names that are wrong, and names that look alike. */

import { skeleton } from '../words/confusables.js';
import type { FoundTool, NamedTool, NameTableOptions } from '../render/named-tool.js';
import type { RenamedKeys } from './renamed-keys.js';
import { serverKeyProblem, type ToolRef } from '../identity/tool-ref.js';

/** Programs read these codes: keep them stable. */
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
  | 'renamed-loop'
  | 'renamed-target'
  | 'separator-in-key'
  | 'ambiguous'
  | 'looks-marked'
  | 'illegal-characters'
  | 'too-long';

/** A problem for the operator: which tools it concerns, and what to do. */
export interface NameProblem {
  readonly code: NameProblemCode;
  /** `error`: a tool cannot be called by its name. `info`: a name was changed and works. */
  readonly severity: 'error' | 'warning' | 'info';
  /** The canonical names, or the server keys, that are concerned. */
  readonly tools: readonly string[];
  readonly message: string;
  readonly advice: string;
}

/** What `createNameTable` found. */
export interface TableContents {
  readonly tools: readonly NamedTool[];
  /** Identities that cannot have a name. */
  readonly rejected: readonly ToolRef[];
  readonly duplicates: readonly NamedTool[];
  /** Every spelling that finds a tool. */
  readonly spellings: ReadonlyMap<string, FoundTool>;
  readonly renamed: RenamedKeys;
  /** The tool that an alias with this target stands for. */
  readonly aliased: (target: string) => NamedTool | undefined;
  readonly options: NameTableOptions;
}

/** Problems as they are found. `undefined`: a pause after a part of the work. */
type Found<T = void> = Generator<NameProblem | undefined, T>;

/**
 * All problems, sorted: their order does not depend on the order of the tools. It pauses for each
 * tool.
 */
export function* findNameProblems(contents: TableContents): Generator<undefined, NameProblem[]> {
  const found: NameProblem[] = [];
  for (const find of FINDERS) {
    for (const problem of find(contents)) {
      if (problem) found.push(problem);
      yield;
    }
  }
  const key = (problem: NameProblem): string => `${problem.code}\0${problem.tools.join('\0')}`;
  return found
    .map((problem) => ({ problem, key: key(problem) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
    .map(({ problem }) => problem);
}

function* rejections({ rejected }: TableContents): Found {
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

function* duplicates(contents: TableContents): Found {
  for (const name of new Set(contents.duplicates.map(({ canonical }) => canonical))) {
    const message = `${name} is listed more than once by its server; the first one is used.`;
    const advice = 'Report it to the author of that server.';
    yield { code: 'duplicate', severity: 'warning', tools: [name], message, advice };
  }
}

/** Names that are equal, differ only in case, or look alike. Each group is reported once. */
function* lookalikes({ tools, options }: TableContents): Found {
  const told = new Set<string>();
  const bySight = [
    ...(yield* groupsBy(tools, ({ canonical }) => skeleton(canonical))),
    ...(yield* groupsBy(tools, ({ name }) => skeleton(name))),
  ];
  for (const group of bySight) {
    const names = sorted(group);
    if (told.has(names.join('\0')) || isShared(group)) continue;
    told.add(names.join('\0'));
    for (const alike of yield* groupsBy(group, ({ canonical }) => canonical.toLowerCase())) {
      const message = `${listed(sorted(alike))} differ only in upper and lower case.`;
      const advice = 'Rename one: people and some clients do not see the difference.';
      yield { code: 'case-collision', severity: 'warning', tools: sorted(alike), message, advice };
    }
    if (new Set(group.map(({ canonical }) => canonical.toLowerCase())).size > 1)
      yield confusable(names);
  }
  const keys = [...new Set(tools.map(({ ref }) => ref.server))];
  for (const alike of yield* groupsBy(keys, skeleton)) yield confusable(alike.toSorted());
  for (const group of yield* groupsBy(tools, ({ name }) => name)) {
    const { name } = group[0]!;
    const message = `${listed(sorted(group))} would all be called ${name} in ${options.profile.label}.`;
    const advice = 'None is callable by that name; use server:tool, or a pattern with {server}.';
    yield { code: 'collision', severity: 'error', tools: sorted(group), message, advice };
  }
}

/** Whether all names of a group are equal. That is a collision and is reported as one. */
function isShared(group: readonly NamedTool[]): boolean {
  return new Set(group.map(({ name }) => name)).size === 1;
}

function confusable(tools: readonly string[]): NameProblem {
  const message = `${listed(tools)} look alike.`;
  const advice = 'Rename one, or drop the server that imitates the other.';
  return { code: 'confusable', severity: 'warning', tools, message, advice };
}

/** Canonical names that are also the visible name of another tool. */
function* shadowed({ tools, spellings }: TableContents): Found {
  for (const { canonical } of tools) {
    yield undefined;
    const other = spellings.get(canonical)?.tool.canonical;
    if (other === undefined || other === canonical) continue;
    const message = `"${canonical}" is the visible name of ${other}, so calls go to that tool.`;
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

function* aliases({ options, aliased, spellings }: TableContents): Found {
  for (const [alias, target] of Object.entries(options.aliases ?? {})) {
    const tool = aliased(target);
    const owner = spellings.get(alias)?.tool.canonical;
    if (!tool) {
      const message = `Alias "${alias}" stands for ${target}, which no server offers.`;
      const advice = 'Correct the target, or remove the alias.';
      yield { code: 'alias-target', severity: 'warning', tools: [target], message, advice };
    } else if (owner !== tool.canonical) {
      const message = `Alias "${alias}" for ${target} is already the name of ${owner ?? 'several tools'}.`;
      const advice = 'Choose another alias.';
      yield { code: 'alias-taken', severity: 'warning', tools: [target], message, advice };
    }
  }
}

function* renamedKeys({ tools, renamed }: TableContents): Found {
  const keys = new Set(tools.map(({ ref }) => ref.server));
  for (const [oldKey, key] of renamed.current) {
    if (keys.has(oldKey)) {
      const message = `"${oldKey}" was renamed to "${key}", but a server has the old key again.`;
      const advice = `Calls go to the live server; remove "${oldKey}" from renamed.`;
      yield { code: 'renamed-key-in-use', severity: 'warning', tools: [oldKey], message, advice };
    } else if (!keys.has(key)) {
      const message = `"${oldKey}" was renamed to "${key}", which no server has.`;
      const advice = 'Correct the new key, or remove the entry.';
      yield { code: 'renamed-target', severity: 'warning', tools: [oldKey], message, advice };
    }
  }
  for (const oldKey of renamed.loops) {
    const message = `"${oldKey}" was renamed in a circle, so its old names find no tool.`;
    const advice = 'Make every old key lead to a key that a server has.';
    yield { code: 'renamed-loop', severity: 'warning', tools: [oldKey], message, advice };
  }
}

function* changedNames({ tools, options }: TableContents): Found {
  const { label, separator } = options.profile;
  const keys = new Set<string>();
  for (const { canonical, name, ref, reasons } of tools) {
    yield undefined;
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
        'it contains characters that are not accepted there',
        advice,
      );
    }
    if (reasons.includes('length')) {
      yield changed('too-long', 'it is longer than accepted there', 'Use a shorter server key.');
    }
    if (reasons.includes('looks-marked')) {
      const advice = 'Rename it so that it does not end in "_" and a mark such as h1 or d2.';
      yield changed('looks-marked', 'it ends like one of our marks', advice);
    }
    if (!reasons.includes('ambiguous')) continue;
    if (options.pattern !== undefined) {
      const advice = 'Use a pattern whose separator does not occur in names.';
      yield changed('ambiguous', 'it could be split in more than one way', advice);
    } else if (!keys.has(ref.server)) {
      keys.add(ref.server);
      const message = `Server key "${ref.server}" makes it unclear where the separator "${separator}" of ${label} is.`;
      const advice = 'Use a key without that separator, so that names stay as they are.';
      yield { code: 'separator-in-key', severity: 'info', tools: [ref.server], message, advice };
    }
  }
}

const FINDERS: readonly ((contents: TableContents) => Found)[] = [
  rejections,
  duplicates,
  lookalikes,
  shadowed,
  aliases,
  renamedKeys,
  changedNames,
];

function* groupsBy<T>(items: readonly T[], keyOf: (item: T) => string): Found<(readonly T[])[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
    yield undefined;
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

function sorted(tools: readonly NamedTool[]): string[] {
  return tools.map(({ canonical }) => canonical).toSorted();
}

/** At most four names: a server that imitates thousands of names must not cause a huge message. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, 4).join(' and ');
  return names.length > 4 ? `${shown} and ${names.length - 4} more` : shown;
}
