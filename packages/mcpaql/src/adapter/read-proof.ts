/**
 * Decides whether an operation provably only reads: a GET whose words name no change. Before a person has
 * reviewed an adapter, only such operations can be called, so a doubt counts as a change. Importers and the
 * runtime use the same function.
 */

import { lowerWords } from '@callsign/naming';

import type { ParamDocument } from './adapter-document.js';
import { descriptionVoices, startsWithUnknownVerb } from './described-change.js';
import { ACTION_KEY, doubtfulParam } from './doubtful-param.js';
import { nameVoice, type Voice } from './voice.js';

/** Everything that can show a change. A missing text makes a wrong proof possible. */
export interface ReadWords {
  /** Its name, or its name in the API. */
  readonly name: string;
  /** As in `GET /ships/{ship_id}`. Unset: the target is not HTTP. */
  readonly http?: { readonly method: string; readonly path: string } | undefined;
  /** All texts that describe it. */
  readonly descriptions: readonly string[];
}

/** Why an operation does not count as a read. */
export interface NamedChange {
  /** The verb for the change. */
  readonly word: string;
  /** The verb is in a description, not only in a name. */
  readonly isDescribed: boolean;
}

/** The first change that the words name; `undefined` if they name none. */
export function namedChange({ name, http, descriptions }: ReadWords): NamedChange | undefined {
  const path = http?.path ?? '';
  const { actions, doubt } = calledIn(path);
  const called = (actions.length > 0 ? actions : [name]).map(withoutMethod);
  const own = called.map((each) => asThing(nameVoice(each), path));
  const segments = segmentsOf(path).map((each) => nameVoice(withoutMethod(each)));
  const names = [...own, ...segments];
  const said = descriptions.flatMap(descriptionVoices);
  const voices = [...names, ...said];
  const changes = voices.filter((voice) => voice?.isChange === true);
  const isDescribed = said.some(({ isChange }) => isChange);
  const sure = changes.find((voice) => voice?.isSure);
  if (sure) return { word: sure.word, isDescribed };
  // A description that names a read outweighs an uncertain verb: `get_order`, `run_instances`.
  const isBacked = said.some(({ isRead }) => isRead) && !isDescribed;
  if (changes.length > 0 && !isBacked) return { word: changes[0]!.word, isDescribed };
  if (doubt !== undefined) return { word: doubt, isDescribed };
  // An action that is called by name must be a known read.
  const unknown = actions.length === 0 ? -1 : own.findIndex((voice) => voice?.isRead !== true);
  if (unknown < 0) return undefined;
  return { word: lowerWords(called[unknown]!)[0] ?? called[unknown]!, isDescribed };
}

/** Whether an operation may be called before its review: its method and all its words say read. */
export function provablyReads(words: ReadWords, params: ReadParams): boolean {
  const { http } = words;
  const isReadMethod = http === undefined || http.method === 'GET' || http.method === 'HEAD';
  return (
    isReadMethod &&
    namedChange(words) === undefined &&
    doubtfulParam(params, http?.path ?? '') === undefined &&
    !hasUnknownVerb(words)
  );
}

/** Its parameters, by name, as an adapter has them. */
type ReadParams = Readonly<Record<string, ParamDocument>>;

/**
 * Whether an HTTP operation may do something that we have no word for: a description begins with an
 * unknown verb, or neither name nor descriptions name a read, and the name has more words than the
 * things of its path.
 */
function hasUnknownVerb({ name, http, descriptions }: ReadWords): boolean {
  if (http === undefined) return false;
  if (descriptions.some(startsWithUnknownVerb)) return true;
  const said = [nameVoice(name), ...descriptions.flatMap(descriptionVoices)];
  if (said.some((voice) => voice?.isRead === true)) return false;
  const things = lowerWords(http.path).map(singular).join('');
  return lowerWords(withoutMethod(name)).some((word) => !isThing(word, things));
}

function isThing(word: string, things: string): boolean {
  const isPlural = /[^s]s$/.test(word);
  return isPlural || /^\d+$/.test(word) || PLAIN.has(word) || things.includes(singular(word));
}

/** Words of names that are no verbs and say nothing about the effect. */
const PLAIN: ReadonlySet<string> = new Set(
  `a all an and api at available by code controller count current data date default detail endpoint entity error
  field file for from global group health history home id in index info information item key latest me message meta
  metadata my name number of on one operation option or overview own page private profile property public resource
  result root row service setting status summary system table the time to total type url user v value version with`.split(
    /\s+/,
  ),
);

function singular(word: string): string {
  return word.replace(/ies$/, 'y').replace(/(?<=s|x|ch|sh)es$|(?<!s)s$/, '');
}

/** In `get_book` of `/books/{isbn}` the word "book" is a noun, because the path has its plural. */
function asThing(voice: Voice | undefined, path: string): Voice | undefined {
  if (!voice?.isChange || voice.isSure) return voice;
  const { word } = voice;
  const plurals = [`${word}s`, `${word}es`, word.replace(/y$/, 'ies')];
  const words = new Set(lowerWords(path));
  return plurals.some((plural) => plural !== word && words.has(plural)) ? undefined : voice;
}

/**
 * Removes a method from a name: `GET_RunInstances` runs something, although it starts with "get".
 */
function withoutMethod(name: string): string {
  const rest = name.replace(/^(?:.*[./])?(?:get|head)(?=[_\-A-Z])[_-]?/i, '');
  return rest === '' ? name : rest;
}

/**
 * The actions that a query or a fragment names. `doubt`: another part of the query, whose meaning
 * only the API knows, as in `/api?do=purge`.
 */
function calledIn(path: string): { actions: string[]; doubt?: string } {
  const start = path.search(/[?#]/);
  if (start < 0) return { actions: [] };
  const pairs = path
    .slice(start + 1)
    .split(/[?#&]/)
    .map((pair) => pair.split('=', 2) as [string, string?]);
  const actions = pairs.flatMap(([key, value]) => (ACTION_KEY.test(key) ? [value ?? ''] : []));
  // A fragment is not sent. It only tells operations of one path apart.
  const others = path[start] === '?' ? pairs.filter(([key]) => !ACTION_KEY.test(key)) : [];
  return { actions, ...(others[0] ? { doubt: others[0].join('=') } : {}) };
}

/** The parts of a path that are not parameters: `/device/{id}/reboot`, `/users:invite`. */
function segmentsOf(path: string): string[] {
  const [plain = ''] = path.split(/[?#]/, 1);
  return plain
    .split('/')
    .filter((segment) => segment !== '' && (!segment.includes('{') || segment.includes(':')))
    .map((segment) => segment.slice(segment.lastIndexOf(':') + 1));
}
