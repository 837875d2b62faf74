/**
 * Decides whether an operation provably only reads: a GET whose words name no change. Before a person has
 * reviewed an adapter, only such operations can be called, so a doubt counts as a change. Importers and the
 * runtime use the same function.
 */

import { isSurelyVerb, type Reading, voicesOf } from '@callsign/annotations';
import { wordsOf } from '@callsign/naming';

/** Everything that can show a change. A missing text makes a wrong proof possible. */
export interface ReadWords {
  /** Its name, or its name in the API. */
  readonly name: string;
  /** As in `GET /ships/{ship_id}`. Unset: the target is not HTTP. */
  readonly http?: { readonly method: string; readonly path: string } | undefined;
  /** All texts that describe it. */
  readonly descriptions: readonly string[];
}

/** Verbs of HTTP APIs that change something and that the tables for tool names do not have. */
const CHANGES: ReadonlySet<string> = new Set(
  `kick leave join mute unmute snooze wake unban like unlike unfavorite unfavourite unfollow tick increment
  decrement ack acknowledge associate disassociate allocate deallocate release authorize deauthorize
  purchase request receive monitor unmonitor promote demote failover swap withdraw advertise bundle deprovision
  reload rebuild initiate continue signal assume unshare hide unhide cast claim redeem consume
  expire renew refresh regenerate reindex recalculate resend signout signin logoff impersonate
  reset reboot poweroff shutdown unlock confirm verify activate deactivate opt rate vote rotate exchange issue host
  pop enqueue dequeue drain invalidate unset fire`.split(/\s+/),
);
/** Keys of a query or a fragment that name the action: `/#Action=RunInstances`. */
const ACTION_KEY = /^(?:action|method|cmd|command|operation|op|x-amz-target)$/i;
const READS: readonly Reading['says'][] = ['read', 'likely-read', 'maybe-read'];
const CHANGING: readonly Reading['says'][] = ['write', 'destructive', 'change', 'mixed'];

/** What one verb of the name, the path or a description says. */
interface Voice {
  readonly word: string;
  readonly isRead: boolean;
  readonly isChange: boolean;
  /** The verb is rarely a noun. */
  readonly isSure: boolean;
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
  return { word: wordsOf(called[unknown]!)[0]?.toLowerCase() ?? called[unknown]!, isDescribed };
}

/** Whether an operation may be called before its review: its method and all its words say read. */
export function provablyReads(words: ReadWords): boolean {
  const { http } = words;
  const isReadMethod = http === undefined || http.method === 'GET' || http.method === 'HEAD';
  return isReadMethod && namedChange(words) === undefined;
}

/** In `get_book` of `/books/{isbn}` the word "book" is a noun, because the path has its plural. */
function asThing(voice: Voice | undefined, path: string): Voice | undefined {
  if (!voice?.isChange || voice.isSure) return voice;
  const { word } = voice;
  const plurals = [`${word}s`, `${word}es`, word.replace(/y$/, 'ies')];
  const words = new Set(wordsOf(path).map((each) => each.toLowerCase()));
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

function nameVoice(name: string): Voice | undefined {
  if (name === '') return undefined;
  const words = wordsOf(name).map((word) => word.toLowerCase());
  const [first = '', last = ''] = [words[0], words.at(-1)];
  const reading = voicesOf({ name }).name;
  // `promote_read_replica` promotes; `get_service_request` reads.
  if (CHANGES.has(first)) return changeBy(first);
  if (CHANGES.has(last) && (reading === undefined || !isOfRead(reading))) return changeBy(last);
  return reading && voiceOf(reading);
}

function descriptionVoices(text: string): Voice[] {
  const { head, change } = voicesOf({ name: '', description: text }).description;
  const voices = [head, change].flatMap((reading) => (reading ? [voiceOf(reading)] : []));
  const own = ownVerb(text);
  if (!head && own !== undefined) voices.push(changeBy(own));
  // `Order history` and `Record types` are things, not actions.
  const first = voices.filter(
    ({ isChange, isSure, word }) => !isChange || isSure || isDeed(text, word),
  );
  return [...first, ...text.split(SENTENCE_END).slice(1).flatMap(laterVoice)];
}

const SENTENCE_END = /(?<=[.!?;])\s+|\n+/;
/** Words before the verb of a later sentence: `It also deletes the file`. */
const BEFORE_VERB =
  /^(?:(?:it|this(?: (?:call|request|endpoint|operation|method|action|api))?|and|also|then|additionally|afterwards?|furthermore|finally|will)\b[, ]*)+/i;
/** Verbs that say nothing about what is done: `This endpoint only applies to private ships`. */
const VAGUE =
  /^(?:accept|apply|authenticate|call|connect|enable|execute|handle|make|manage|perform|process|run|use)$/;

/** What a later sentence says that the operation does: `Also deletes it.` Its verb ends in "s". */
function laterVoice(sentence: string): Voice[] {
  const rest = sentence.replace(BEFORE_VERB, '');
  const isSaid = rest !== sentence || /^\p{L}+s\b/u.test(rest);
  if (!isSaid) return [];
  const own = ownVerb(rest);
  if (own !== undefined && HAS_OBJECT.test(rest)) return [changeBy(own)];
  const { head } = voicesOf({ name: '', description: rest }).description;
  const voice = head && voiceOf(head);
  return voice?.isChange && voice.isSure && !VAGUE.test(voice.word) ? [voice] : [];
}

/** The first word, if it is one of our own verbs: `Invalidates`. */
function ownVerb(text: string): string | undefined {
  const [first = ''] = text.toLowerCase().match(/\p{L}+/u) ?? [];
  return [first, first.replace(/s$/, ''), first.replace(/es$/, '')].find((verb) =>
    CHANGES.has(verb),
  );
}

/** Whether the text describes an action: `Publishes a view` and `Publish a view` do. */
function isDeed(text: string, verb: string): boolean {
  const [first = ''] = text.toLowerCase().match(/\p{L}+/u) ?? [];
  return first !== verb || HAS_OBJECT.test(text);
}

/** The second word begins the object of the verb. `Requests are limited` has none. */
const HAS_OBJECT =
  /^\P{L}*\p{L}+\P{L}+(?:an?|the|all|any|this|one|your|its|new|multiple|specified|it|them)(?!\p{L})/iu;

/** Uncertain: a description may still say that the operation reads. */
function changeBy(word: string): Voice {
  return { word, isRead: false, isChange: true, isSure: false };
}

function voiceOf(reading: Reading): Voice {
  const { says, word } = reading;
  const isChange = CHANGING.includes(says);
  return {
    word,
    isRead: isOfRead(reading),
    isChange,
    isSure: isChange && says !== 'mixed' && isSurelyVerb(word),
  };
}

function isOfRead({ says }: Reading): boolean {
  return READS.includes(says);
}
