/**
 * Decides whether an operation provably only reads. Before a person has reviewed an imported operation, only a proven
 * read can be called. Silence proves nothing: something must say that it reads, and nothing may say otherwise.
 */

import { segmentsOf, wordsOf } from '../words/words.js';
import { nameWords, readOperationName } from './name-reading.js';
import { ACTION_KEY, againstInParams, type RequestParam } from './param-reading.js';
import { readPath } from './path-reading.js';
import { isReadPhrase } from './read-verbs.js';
import type { Statement, Statements } from './statement.js';
import { readText } from './text-reading.js';

/** What is known of an operation. */
export interface RequestWords {
  /** Its name in the API. Empty if its author gave none. */
  readonly name: string;
  /** As in `GET /ships/{ship_id}`. `undefined`: it is no HTTP request. */
  readonly http?: { readonly method: string; readonly path: string } | undefined;
  /** Its summary, its description. */
  readonly texts: readonly string[];
  readonly params: readonly RequestParam[];
}

/** What each part says for and against a read. */
export function readRequest({ name, http, texts, params }: RequestWords): Statements {
  const path = http?.path ?? '';
  const own = readOperationName(name, path);
  const described = texts.map(readText);
  const placed = http ? readPath(path, nameWords(name)) : NOTHING;
  const called = readQuery(path);
  // A name that says nothing is no doubt if a text says what the operation does.
  const reads = [
    ...called.reads,
    ...own.reads,
    ...placed.reads,
    ...described.flatMap((each) => each.reads),
  ];
  const isSaid = reads.some(({ where }) => where === 'text');
  return {
    reads,
    against: [
      ...called.against,
      ...own.against.filter(({ says }) => says === 'change' || (http !== undefined && !isSaid)),
      ...placed.against,
      ...againstInParams(params, path),
      ...described.flatMap((each) => each.against),
    ],
  };
}

/** Whether an operation may be called before its review. */
export function provablyReads(words: RequestWords): boolean {
  const { http } = words;
  const { reads, against } = readRequest(words);
  if (against.length > 0) return false;
  // What is no HTTP request has another claim: its tool's hints, or the operator's choice.
  return (
    http === undefined || (reads.length > 0 && (http.method === 'GET' || http.method === 'HEAD'))
  );
}

const NOTHING: Statements = { reads: [], against: [] };

/**
 * The actions that a query or a fragment of the path names, as in `/?Action=ListQueues`. Only the API knows the meaning of
 * another fixed part, as in `/api?do=purge`.
 */
function readQuery(path: string): Statements {
  const start = path.search(/[?#]/);
  if (start < 0) return NOTHING;
  const pairs = path
    .slice(start + 1)
    .split(/[?#&]/)
    .filter((pair) => pair !== '')
    .map((pair) => pair.split('=', 2) as [string, string?]);
  const statements = pairs.flatMap(([key, value = '']): Statement[] => {
    const isAction = ACTION_KEY.test(key);
    const words = wordsOf(segmentsOf(value).at(-1) ?? '');
    if (isReadPhrase(words)) return [{ where: 'path', word: words[0]!, says: 'read' }];
    // A parameter is read as one. A fragment is not sent: it only tells operations of one path apart.
    if (!isAction && (path[start] === '#' || /^\{[^{}]+\}$/.test(value))) return [];
    return [{ where: 'path', word: isAction ? value : `${key}=${value}`, says: 'change' }];
  });
  return {
    reads: statements.filter(({ says }) => says === 'read'),
    against: statements.filter(({ says }) => says !== 'read'),
  };
}
