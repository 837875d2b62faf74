/** The verb in a tool's name: evidence of what the tool does, never proof (classify.ts, the linter). */

import { lessSure } from './confidence.js';
import type { Endpoint } from './endpoints.js';
import { isPlainVerb, type VerbMeaning, VERBS } from './verb-table.js';
import { segmentsOf, wordsOf } from './words.js';

export interface Verb extends VerbMeaning {
  readonly word: string;
  /** The words behind the verb: `['pull', 'request']` in `create_pull_request`. */
  readonly object: readonly string[];
}

/** Words that join two verbs: `get_or_create`, `list_and_delete`. */
const JOINTS: ReadonlySet<string> = new Set(['or', 'and', 'then']);

/** Of two joined verbs the one further down counts; the first one on a tie, so an upsert is a create. */
const WEIGHT: Readonly<Record<Endpoint, number>> = {
  read: 0,
  create: 1,
  update: 1,
  delete: 2,
  execute: 2,
};

/** The last part of a prefixed name decides (`search:delete_index` deletes), else the whole name. */
export function verbOf(name: string): Verb | undefined {
  return verbIn(wordsOf(segmentsOf(name).at(-1) ?? '')) ?? verbIn(wordsOf(name));
}

function verbIn(words: readonly string[]): Verb | undefined {
  const at = verbIndex(words);
  const verb = verbAt(words, at);
  const joined = JOINTS.has(words[at + 1] ?? '') ? verbAt(words, at + 2) : undefined;
  return verb && joined ? heavier(verb, joined) : verb;
}

/** In front any verb counts; further on a plain one comes first: `blog_post_delete` deletes. */
function verbIndex(words: readonly string[]): number {
  if (VERBS.has(words[0] ?? '')) return 0;
  const plain = words.findIndex(isPlainVerb);
  return plain === -1 ? words.findIndex((word) => VERBS.has(word)) : plain;
}

function verbAt(words: readonly string[], at: number): Verb | undefined {
  const word = words[at];
  const meaning = word === undefined ? undefined : VERBS.get(word);
  if (word === undefined || meaning === undefined) return undefined;
  const object = words.slice(at + 1);
  // `github_create_issue` is as clear as `create_issue`; `file_read` and `web_page_search` are less so.
  const opens = at === 0 || (at === 1 && object.length > 0);
  const { endpoint, confidence } = meaning;
  return { word, object, endpoint, confidence: opens ? confidence : lessSure(confidence) };
}

function heavier(first: Verb, second: Verb): Verb {
  const verb = WEIGHT[second.endpoint] > WEIGHT[first.endpoint] ? second : first;
  return { ...verb, confidence: 'medium' };
}
