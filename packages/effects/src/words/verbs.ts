/** Finds the verb in a tool's name. It is evidence for classify.ts and the linter, never proof. */

import { lessSure } from './confidence.js';
import type { Endpoint } from '../hints/endpoints.js';
import { isNounPhrase } from './noun-phrases.js';
import { isPlainVerb, type VerbMeaning, VERBS } from './verb-table.js';
import { segmentsOf, wordsOf } from './words.js';

/** The verb of a name. */
export interface Verb extends VerbMeaning {
  readonly word: string;
  /** The words after the verb: `['pull', 'request']` in `create_pull_request`. */
  readonly object: readonly string[];
}

/** A verb at its place in a name. */
interface Place extends VerbMeaning {
  readonly word: string;
  readonly at: number;
  readonly isPlain: boolean;
  readonly isLast: boolean;
  /** Directly after a joining word, as `delete` in `findByIdAndDelete`. */
  readonly isJoined: boolean;
}

const JOINTS: ReadonlySet<string> = new Set(['or', 'and', 'then']);

/**
 * Things that servers store. Before a verb of reading they are its object, as in `email_search`.
 */
const THINGS: ReadonlySet<string> = new Set(['email', 'run', 'record', 'book', 'draft', 'post']);

/** Facts about an action that can be read: `get_update_status` updates nothing. */
const ASPECTS: ReadonlySet<string> = new Set(
  'status progress history preview access permission permissions time date count log'.split(' '),
);

/** Of two verbs, the one with the higher weight counts. */
const WEIGHT: Readonly<Record<Endpoint, number>> = {
  read: 0,
  create: 1,
  update: 1,
  delete: 2,
  execute: 2,
};

/**
 * The verb in the last part of a prefixed name (`search:delete_index` deletes), or else in the
 * whole name.
 */
export function verbOf(name: string): Verb | undefined {
  return verbIn(wordsOf(segmentsOf(name).at(-1) ?? '')) ?? verbIn(wordsOf(name));
}

function verbIn(words: readonly string[]): Verb | undefined {
  const places = placesOf(words);
  const head = headOf(places);
  if (head === undefined) return undefined;

  const rivals = places.filter((place) => place.at > head.at && isRival(place, head, words));
  const { at, word, endpoint, confidence } = rivals.reduce(stronger, head);
  const object = words.slice(at + 1);
  const verb = { word, object, endpoint };

  const isContested = rivals.some((rival) => rival.endpoint !== head.endpoint);
  // A tool with joined verbs does all of them. Which one counts is uncertain.
  if (isContested && rivals.some(({ isJoined }) => isJoined)) {
    return { ...verb, confidence: 'medium' };
  }
  // `github_create_issue` is as clear as `create_issue`. `file_read` and `web_page_search` are less
  // so.
  const opens = at === 0 || (at === 1 && object.length > 0);
  const isSure = opens && !isContested && !isNounPhrase(word, object.at(-1) ?? '');
  return { ...verb, confidence: isSure ? confidence : lessSure(confidence) };
}

function placesOf(words: readonly string[]): Place[] {
  return words.flatMap((word, at) => {
    const meaning = VERBS.get(word);
    if (meaning === undefined) return [];
    const { endpoint, confidence } = meaning;
    const isPlain = isPlainVerb(word);
    const isLast = at === words.length - 1;
    const isJoined = JOINTS.has(words[at - 1] ?? '');
    return [{ word, endpoint, confidence, at, isPlain, isLast, isJoined }];
  });
}

/**
 * The main verb: the first word if it is a verb, or else the first plain verb: `blog_post_delete`
 * deletes.
 */
function headOf(places: readonly Place[]): Place | undefined {
  const [first, ...others] = places;
  if (first?.at === 0 && !isReadThing(first, others.at(-1))) return first;
  return places.find(({ isPlain }) => isPlain) ?? places.find(({ at }) => at > 0);
}

function isReadThing({ word }: Place, last: Place | undefined): boolean {
  return THINGS.has(word) && last?.isLast === true && last.endpoint === 'read' && isHigh(last);
}

/** Whether a later verb may be meant instead: `list_delete`, `scan_start`, `search_and_book`. */
function isRival(place: Place, head: Place, words: readonly string[]): boolean {
  const { word, at, isPlain, isLast, isJoined } = place;
  // `find_by_name_or_email` sends no mail.
  if (isJoined) return !(word === 'email' && isLast);
  const isAspect = at + 2 === words.length && ASPECTS.has(words[at + 1] ?? '');
  if (isAspect && place.endpoint !== 'delete') return false;
  const isVerb = isPlain || (isLast && (word === 'start' || word === 'stop'));
  const isHeadSure = head.isPlain && isHigh(head);
  return isVerb && (!isHeadSure || WEIGHT[place.endpoint] > WEIGHT[head.endpoint]);
}

/**
 * The riskier of two verbs, or else the clearer one, or else the first. So an upsert is a create.
 */
function stronger(a: Place, b: Place): Place {
  const difference =
    WEIGHT[b.endpoint] - WEIGHT[a.endpoint] ||
    Number(b.isPlain) - Number(a.isPlain) ||
    Number(isHigh(b)) - Number(isHigh(a));
  return difference > 0 ? b : a;
}

function isHigh({ confidence }: VerbMeaning): boolean {
  return confidence === 'high';
}
