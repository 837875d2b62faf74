/** Finds the other tools of a list that a text gives orders about. */

import { segmentsOf } from '../judge/words.js';
import { plainText } from './plain-text.js';
import type { LintedTool } from './rule.js';

/** Spelling in plain letters → original name. */
export type ToolNames = ReadonlyMap<string, string>;

/**
 * Words of command, other words, and punctuation that ends a phrase. Quotes and brackets do not end
 * one.
 */
const TOKENS =
  /\b(before|instead of|rather than|always|never|do not|don'?t|whenever|every time|each time)(?![\w./:-])|(\w(?:[\w./:-]*\w)?)|[^\w\s"'`(]+/g;

/** The greatest distance, in words, between a word of command and a tool's name. */
const REACH = 5;

/** Phrases in which a tool waits for another one. */
const AWAITED =
  /\b(?:when|if|once|after|while) (?:the )?["'`]?([\w./:-]+)["'`]?(?: tool)? (?:is|was|gets|becomes|has been) (?:called|used|available|invoked|run|executed|present)\b/g;

/**
 * The names in `all` that the text gives orders about. `plain`: the text as `plainText` gives it.
 * `own`: the names of the tool itself, which it may mention.
 */
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

/**
 * The names of tools, in full and without the server. A plain word such as `search` does not count
 * as a name.
 */
export function namesOf(tools: readonly LintedTool[]): ToolNames {
  const spellings = tools
    .flatMap(({ name }) => [name, segmentsOf(name).at(-1) ?? ''])
    .filter((name) => /[_./:-]|\p{Ll}\p{Lu}/u.test(name));
  // Sorted, so that of two names that look the same always the same one is shown.
  return new Map(spellings.toSorted().map((name) => [plainText(name), name]));
}
