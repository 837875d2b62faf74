/** Reads the effect of an HTTP operation from its name: `users/list`, `Users_Get`, `getOrCreateUser`. */

import { readName } from '../inference/name-reading.js';
import { isChangeVerb, isClearChange, isRecord, joinedChange } from './change-verbs.js';
import { isInnerRead, isQuestion, isReadPhrase, isReadVerb } from './read-verbs.js';
import { requestWords } from './request-words.js';
import type { Statement, Statements } from './statement.js';
import { headOf, isPlural, isSelection, isThing } from './things.js';

/** What programs add to a name for a GET. */
const BY_PROGRAMS = /^(?:GET|HEAD)[_\-/. ]+|Using(?:GET|HEAD)(?:_\d+)?$|-+format-*$/g;

/** Longer names were not written by a person. */
const MAX_WORDS = 40;

/** The words of a name, without the method that a program has put there. */
export function nameWords(name: string): string[] {
  return requestWords(name.replace(BY_PROGRAMS, '')).slice(0, MAX_WORDS);
}

/** A name may repeat words of the path. */
export function readOperationName(name: string, path: string): Statements {
  const inPath = new Set(requestWords(path));
  const words = withoutParams(nameWords(name), path);
  const [first = '', last = ''] = [words[0], words.at(-1)];
  if (first === '') return { reads: [], against: [] };
  const reads = readIn(name, words);
  const against = changeIn(words, reads !== undefined) ?? mixedLetters(name);
  if (against !== undefined) return { reads: [], against: [saying(against, 'change')] };
  if (reads !== undefined) return { reads: [saying(reads, 'read')], against: [] };
  // The whole name is about a thing, or it may be an action that is not known.
  const unknown = [first, last].find(
    (word) => !isThing(word) && !(inPath.has(word) && words.length > 1),
  );
  const isPath = words.every((word) => inPath.has(word));
  return {
    reads: [],
    against: unknown === undefined || isPath ? [] : [saying(unknown, 'unknown')],
  };
}

function saying(word: string, says: Statement['says']): Statement {
  return { where: 'name', word, says };
}

/** `get_suppressions_email` of `/suppressions/{email}` ends with the name of a parameter. */
function withoutParams(words: string[], path: string): string[] {
  const params = new Set(
    Array.from(path.matchAll(/\{([^{}]*)\}/g), ([, name]) => requestWords(name!)).flat(),
  );
  const end = words.findLastIndex((word) => !params.has(word));
  return end < 1 ? words : words.slice(0, end + 1);
}

/** The verb at the beginning of the name or of one of its last parts, or at its end. */
function readIn(name: string, words: readonly string[]): string | undefined {
  if (isReadPhrase(words) || (isQuestion(words[0]!) && words.length > 1)) return words[0];
  const parts = name.split(/[._/:# -]+/).map((part) => requestWords(part));
  const own = parts.at(-1) ?? [];
  if (isReadPhrase(own) || isQuestion(own[0] ?? '')) return own[0];
  const phrase = parts.find((part) => part.length > 1 && isReadPhrase(part));
  return phrase?.[0] ?? words.find((word) => isInnerRead(word)) ?? words.slice(-1).find(isReadVerb);
}

function changeIn(words: readonly string[], reads: boolean): string | undefined {
  const done = headOf(words);
  const joined = joinedChange(done);
  if (joined !== undefined) return joined;
  const [first = '', last = ''] = [words[0], done.at(-1)];
  if (isClearChange(first)) return first;
  if (isClearChange(last)) return last;
  if (reads) return isReadPhrase(words) ? made(words) : undefined;
  if (isChangeVerb(last)) return last;
  // `order_types` are things. `open_gates` opens gates.
  const end = done.at(-1)!;
  const isThings = done.length > 1 && isRecord(first) && (isPlural(end) || isSelection(end));
  return isChangeVerb(first) && !isThings ? first : undefined;
}

/** `get_new_token` makes a token, and `get_lock` takes a lock. */
function made(words: readonly string[]): string | undefined {
  const reading = readName(words.join('_'));
  return reading?.says === 'change' && !isReadVerb(reading.word) ? reading.word : undefined;
}

/** A name in two alphabets looks like another name. */
function mixedLetters(name: string): string | undefined {
  const reading = readName(name);
  return reading?.because.includes('two alphabets') ? reading.word : undefined;
}
