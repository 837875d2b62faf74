/** Which other tools of the list a text gives orders about. */

import { segmentsOf } from '../words/words.js';
import { plainText } from './plain-text.js';
import type { LintedTool } from './rule.js';

/** How texts may name tools: spellings by the same spelling in plain letters. */
export type ToolNames = ReadonlyMap<string, string>;

/** Words of command, other words, and what ends a phrase; quotes and brackets in between do not. */
const TOKENS =
  /\b(before|instead of|rather than|always|never|do not|don'?t|whenever|every time|each time)(?![\w./:-])|(\w(?:[\w./:-]*\w)?)|[^\w\s"'`(]+/g;

/** How many words behind a word of command the name of a commanded tool may stand. */
const REACH = 5;

/** A tool that waits for another one to be there or to be called. */
const AWAITED =
  /\b(?:when|if|once|after|while) (?:the )?["'`]?([\w./:-]+)["'`]?(?: tool)? (?:is|was|gets|becomes|has been) (?:called|used|available|invoked|run|executed|present)\b/g;

/** The names in `all` that the text, in plain letters, gives orders about; a tool may speak of its `own`. */
export function steeredTools(plain: string, all: ToolNames, own: ToolNames): string[] {
  const steered = new Set<string>();
  const add = (word: string) => {
    const name = own.has(word) ? undefined : all.get(word);
    if (name !== undefined) steered.add(name);
  };
  let reach = 0;
  for (const [, command, word] of plain.matchAll(TOKENS)) {
    if (word === undefined) reach = command === undefined ? 0 : REACH;
    else if (reach-- > 0) add(word);
  }
  for (const [, word = ''] of plain.matchAll(AWAITED)) add(word);
  return [...steered].toSorted();
}

/** In full, or without the server. A plain word such as `search` is no name. */
export function namesOf(tools: readonly LintedTool[]): ToolNames {
  const spellings = tools
    .flatMap(({ name }) => [name, segmentsOf(name).at(-1) ?? ''])
    .filter((name) => /[_./:-]|\p{Ll}\p{Lu}/u.test(name));
  // Sorted, so that of two that look the same one is shown whatever the order of the list.
  return new Map(spellings.toSorted().map((name) => [plainText(name), name]));
}
