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
  reset reboot poweroff shutdown unlock confirm verify activate deactivate opt rate vote rotate exchange issue host`.split(
    /\s+/,
  ),
);
/** A path with its action in a query or a fragment: `/#Action=RunInstances`. */
const REMOTE_CALL = /[#?&](?:action|method|cmd|command|operation|op|x-amz-target)=([^&#]*)/i;
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
  const [, action] = REMOTE_CALL.exec(path) ?? [];
  const called = withoutMethod(action ?? name);
  const names = [asThing(nameVoice(called), path), nameVoice(withoutMethod(lastSegment(path)))];
  const said = descriptions.flatMap(descriptionVoices);
  const voices = [...names, ...said];
  const changes = voices.filter((voice) => voice?.isChange === true);
  const isDescribed = said.some(({ isChange }) => isChange);
  const sure = changes.find((voice) => voice?.isSure);
  if (sure) return { word: sure.word, isDescribed };
  // A description that names a read outweighs an uncertain verb: `get_order`, `run_instances`.
  const isBacked = said.some(({ isRead }) => isRead) && !isDescribed;
  if (changes.length > 0 && !isBacked) return { word: changes[0]!.word, isDescribed };
  // An action that is called by name must be a known read.
  if (action === undefined || names[0]?.isRead === true) return undefined;
  return { word: wordsOf(called)[0]?.toLowerCase() ?? called, isDescribed };
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
  const inPath = new Set(wordsOf(path).map((each) => each.toLowerCase()));
  return plurals.some((plural) => plural !== word && inPath.has(plural)) ? undefined : voice;
}

/**
 * Removes a method from a name: `GET_RunInstances` runs something, although it starts with "get".
 */
function withoutMethod(name: string): string {
  const rest = name.replace(/^(?:.*[./])?(?:get|head)(?=[_\-A-Z])[_-]?/i, '');
  return rest === '' ? name : rest;
}

/** The end of a path, if it is not a parameter: `/device/{id}/reboot`, `/users:invite`. */
function lastSegment(path: string): string {
  const [plain = ''] = path.split(/[?#]/, 1);
  const last = plain.split('/').findLast((segment) => segment !== '') ?? '';
  return last.includes('{') && !last.includes(':') ? '' : last.slice(last.lastIndexOf(':') + 1);
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
  const [first = ''] = text.toLowerCase().match(/\p{L}+/u) ?? [];
  const own = [first, first.replace(/s$/, ''), first.replace(/es$/, '')].find((verb) =>
    CHANGES.has(verb),
  );
  if (!head && own !== undefined) voices.push(changeBy(own));
  // `Order history` and `Record types` are things, not actions.
  return voices.filter(({ isChange, isSure, word }) => !isChange || isSure || isDeed(text, word));
}

/** Whether the text describes an action: `Publishes a view` and `Publish a view` do. */
function isDeed(text: string, verb: string): boolean {
  const [first = '', second = ''] = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return first !== verb || /^(?:an?|the|all|this|one|your|new|multiple|specified|it)$/.test(second);
}

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
