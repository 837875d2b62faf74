/** Rules about titles, which people see instead of names. */

import type { Flaw, Readers } from '@callsign/naming';

import { titleOf } from '../label/titles.js';
import type { AnnotationRule, LintedTool } from './rule.js';

const TITLE_READERS: Readers = {
  clients: ['claude-code', 'claude-desktop', 'vscode'],
  audiences: ['Anthropic directory'],
};

/** How many tools with the same title a message names. */
const SHOWN = 3;

export const titleMissing: AnnotationRule = {
  id: 'title-missing',
  severity: 'warning',
  summary: 'The tool has no title.',
  why: 'Approval dialogs then show the bare name, and directories reject the server.',
  who: TITLE_READERS,
  check: (tools) =>
    tools
      .filter((tool) => titleOf(tool) === undefined)
      .map(({ name }) => ({
        tool: name,
        message: 'Has no title.',
        fix: 'Add a short "title" for people, such as "List open issues".',
      })),
};

export const titleIsName: AnnotationRule = {
  id: 'title-is-name',
  severity: 'warning',
  summary: 'The title is only the name of the tool.',
  why: 'A title is shown in place of the name; repeating it leaves people with snake_case.',
  who: TITLE_READERS,
  check: (tools) =>
    tools
      .filter((tool) => titleOf(tool) === tool.name && !isPlainWord(tool.name))
      .map(({ name }) => ({
        tool: name,
        message: `Uses its name "${name}" as its title.`,
        fix: 'Write the title as people would say it, with spaces and a capital.',
      })),
};

export const titleShared: AnnotationRule = {
  id: 'title-shared',
  severity: 'warning',
  summary: 'Two tools of one list have the same title.',
  why: 'People who see only titles cannot tell which of the two is about to run.',
  who: TITLE_READERS,
  check(tools) {
    const groups = new Map<string, LintedTool[]>();
    for (const tool of tools) {
      const title = titleOf(tool)?.toLowerCase();
      if (title === undefined) continue;
      const group = groups.get(title);
      if (group === undefined) groups.set(title, [tool]);
      else group.push(tool);
    }
    return [...groups.values()].filter((group) => group.length > 1).flatMap(sharedTitleFlaws);
  },
};

function sharedTitleFlaws(group: readonly LintedTool[]): Flaw[] {
  const names = group.map(({ name }) => name).toSorted();
  return group.map((tool) => ({
    tool: tool.name,
    message: `Shares the title "${titleOf(tool)}" with ${othersThan(tool.name, names)}.`,
    fix: 'Say in each title what sets the tool apart, or whose tool it is.',
  }));
}

/** Names only a few: a server may give one title to thousands of tools. */
function othersThan(name: string, sorted: readonly string[]): string {
  const first = sorted.slice(0, SHOWN + 1);
  const own = first.indexOf(name);
  const shown = (own === -1 ? first : first.toSpliced(own, 1)).slice(0, SHOWN).join(', ');
  const rest = sorted.length - 1 - SHOWN;
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

/** `Search` is a fair title for a tool called `Search`. */
function isPlainWord(name: string): boolean {
  return /^\p{Lu}[\p{Ll}\p{N}]*$/u.test(name);
}
