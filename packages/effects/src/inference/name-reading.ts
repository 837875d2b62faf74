/**
 * Reads the effect of a tool from its name: `list_users`, `kv_get`, `ListUsageTrigger`,
 * `get_or_create`.
 */

import { segmentsOf, wordsOf } from '../words/words.js';
import type { Reading } from './reading.js';
import { type Effect, effectOf, isChange, isSurelyVerb } from './verb-effects.js';

/** A verb and its position in the name. */
interface Place {
  readonly word: string;
  readonly effect: Effect;
  readonly at: number;
  /** The word is almost never a noun. */
  readonly isSure: boolean;
  /** The word before it is `or`, `and` or `then`. */
  readonly isJoined: boolean;
}

const JOINTS: ReadonlySet<string> = new Set(['or', 'and', 'then']);

/** Verbs of a change that are often nouns at the end of a name: `get_update`. */
const NOUNS: ReadonlySet<string> = new Set(['update']);

/** How sure a reading by a verb is, for verbs that change nothing. */
export const READINGS: Readonly<Partial<Record<Effect, Reading['says']>>> = {
  reads: 'read',
  'mostly-reads': 'likely-read',
  'may-read': 'maybe-read',
};

/** Longer names were not written by a person. */
const MAX_WORDS = 20;

/** A Latin letter beside a Greek or Cyrillic one: `get_d\u0435lete` looks like `get_delete`. */
const TWO_ALPHABETS = /[a-z][\u0370-\u052f]|[\u0370-\u052f][a-z]/i;

/**
 * Reads the last part of a prefixed name, or else the whole name. `undefined`: there is no verb.
 */
export function readName(name: string): Reading | undefined {
  const [mixed] = TWO_ALPHABETS.exec(name) ?? [];
  if (mixed !== undefined) {
    return { says: 'change', word: mixed, because: 'the name mixes letters of two alphabets' };
  }
  const last = segmentsOf(name).at(-1) ?? '';
  return readWords(wordsOf(last)) ?? readWords(wordsOf(name));
}

/**
 * The same for a title: `Delete a page`. `Email metrics` and `Order history` name things, not
 * actions.
 */
export function readTitle(title: string): Reading | undefined {
  const reading = readWords(wordsOf(title), 'title');
  const isThing = reading && isChange(effectOf(reading.word)) && !isSurelyVerb(reading.word);
  return isThing ? undefined : reading;
}

function readWords(words: readonly string[], part = 'name'): Reading | undefined {
  const places = placesOf(words.slice(0, MAX_WORDS));
  const head = headOf(places, words);
  if (head === undefined || isNounAtEnd(head, words)) return undefined;

  const saying = (says: Reading['says'], { word }: Place): Reading => {
    return { says, word, because: `the ${part} says ${word}` };
  };
  const later = places.filter(({ at }) => at > head.at);
  const joined = later.filter(({ isJoined, effect }) => isJoined && isChange(effect));
  if (isChange(head.effect)) return changeOf([head, ...joined], later, saying);
  if (joined.length > 0) return changeOf(joined, [], saying);

  // `list_delete_markers` lists. The description decides.
  const rival = later.find(({ isSure, effect }) => isSure && isChange(effect));
  // Two verbs and nothing else change something: `find_replace`, `list_delete`.
  const isWhole = head.at === words.length - 2 && !NOUNS.has(rival?.word ?? '');
  if (rival) return saying(isWhole ? 'change' : 'mixed', rival);
  return saying(READINGS[head.effect] ?? 'maybe-read', head);
}

/** Verbs that are mostly nouns behind another word: `wiki_link`, `address_book`. */
const THINGS: ReadonlySet<string> = new Set(
  'link record book index tag order type cache store process handle use'.split(' '),
);

function isNounAtEnd({ word, at }: Place, words: readonly string[]): boolean {
  return at > 0 && at === words.length - 1 && THINGS.has(word);
}

/** The most harmful of the stated effects. */
function changeOf(
  done: readonly Place[],
  later: readonly Place[],
  saying: (says: Reading['says'], place: Place) => Reading,
): Reading {
  const harm = done.find(({ effect }) => effect === 'harms');
  if (harm) return saying('destructive', harm);
  const unclear =
    done.find(({ effect }) => effect === 'unclear') ??
    later.find(({ isSure, effect }) => isSure && effect !== 'adds' && isChange(effect));
  if (unclear) return saying('change', unclear);
  return saying('write', done[0]!);
}

function placesOf(words: readonly string[]): Place[] {
  return words.flatMap((word, at) => {
    // Further on, it may be a Spanish word: `get_datos_del_cliente`.
    const isDel = word === 'del' && at === 0;
    const usual = isDel ? 'harms' : effectOf(word);
    const effect = isException(word, words, at) ? 'unclear' : usual;
    if (effect === undefined) return [];
    const isJoined = JOINTS.has(words[at - 1] ?? '');
    return [{ word, effect, at, isSure: isDel || isSurelyVerb(word), isJoined }];
  });
}

/**
 * The main verb of the name. The first word counts if it is a verb. Otherwise the first word that
 * is always a verb counts, or an earlier one with an object behind it: `slack_post_message`. The
 * last word counts if it is a verb: `web_search`.
 */
function headOf(places: readonly Place[], words: readonly string[]): Place | undefined {
  const [first] = places;
  if (first === undefined) return undefined;
  if (isRead(first)) return first;
  const end = places.at(-1)!;
  const endsWithVerb = end.at === words.length - 1;
  // A noun and then its verb: `email_search`, `cache_purge`. But `email_mark_read` marks.
  const done = places.find((place) => place.isSure || (isDone(place) && !isRead(place)));
  const isNoun = !first.isSure && !isDone(first);
  if (isNoun && endsWithVerb && (isRead(end) || end.isSure)) return done ?? end;
  if (first.at === 0) return first;
  // A change at the end of a name counts: `worker_deploy`.
  return done ?? (endsWithVerb ? end : first);
}

/** Verbs that are also nouns, but not nouns for stored things. */
const DONE: ReadonlySet<string> = new Set(
  'mark set toggle close lock pin move change patch start stop complete'.split(' '),
);

function isDone({ word }: Place): boolean {
  return DONE.has(word);
}

function isRead({ effect }: Place): boolean {
  return !isChange(effect);
}

/** `git_fetch` changes the repository, unlike every other fetch. */
function isException(word: string, words: readonly string[], at: number): boolean {
  if (word === 'get') return isRidding(word, words[at + 1]) || isMade(words.slice(at + 1));
  return isCheckIn(word, words[at + 1]) || (word === 'fetch' && words.includes('git'));
}

/** Things that do not exist before someone asks for a new one. */
const ISSUED: ReadonlySet<string> = new Set(
  'token key secret password session address code'.split(' '),
);

/** `get_new_token` makes a token and `get_lock` takes a lock; `get_new_messages` reads. */
function isMade(wanted: readonly string[]): boolean {
  const isLock = wanted.length === 1 && wanted[0] === 'lock';
  return isLock || (wanted[0] === 'new' && ISSUED.has(wanted.at(-1)!));
}

/** `check_in` and `check_out` change something; `check` alone does not. */
export function isCheckIn(word: string, next: string | undefined): boolean {
  return word === 'check' && (next === 'in' || next === 'out');
}

/** `get_rid_of_file` removes the file. */
export function isRidding(word: string, next: string | undefined): boolean {
  return word === 'get' && next === 'rid';
}
