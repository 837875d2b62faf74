/** The tools that an entry switches on or off, in the words of every client. */

import type { WrittenEntry } from './written-entry.js';

/** Exact names of tools, not globs. */
export interface ToolLists {
  /** Only these tools are offered. Default: all. */
  readonly include?: readonly string[];
  /** These tools are not offered. */
  readonly exclude: readonly string[];
}

/** Gemini, Cline and others, Codex, Copilot. */
const INCLUDES = ['includeTools', 'enabledTools', 'enabled_tools', 'tools'];
/** Gemini, Windsurf and Roo, Codex. */
const EXCLUDES = ['excludeTools', 'disabledTools', 'disabled_tools'];

/** The lists of an entry. Copilot writes `"tools": ["*"]` for all tools. */
export function toolListsOf(entry: WrittenEntry): ToolLists {
  const lists = INCLUDES.flatMap((field) => {
    const names = textsIn(entry[field]);
    return names === undefined || names.includes('*') ? [] : [names];
  });
  const exclude = EXCLUDES.flatMap((field) => textsIn(entry[field]) ?? []);
  const [include, ...others] = lists;
  if (include === undefined) return { exclude };
  return {
    include: include.filter((name) => others.every((list) => list.includes(name))),
    exclude,
  };
}

/** Whether the lists let a tool be offered. */
export function isSwitchedOn({ include, exclude }: ToolLists, tool: string): boolean {
  return include?.includes(tool) !== false && !exclude.includes(tool);
}

/** The entry with all its tools switched on. */
export function withoutToolLists(entry: WrittenEntry): WrittenEntry {
  const fields = Object.entries(entry);
  return Object.fromEntries(
    fields.filter(([field]) => !INCLUDES.includes(field) && !EXCLUDES.includes(field)),
  );
}

/** Gemini may write arguments after a name: `shell(rm)`. The name counts. */
function textsIn(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter((each) => typeof each === 'string').map((name) => name.replace(/\(.*$/, ''));
}
