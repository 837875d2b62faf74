/** Reads the effect of a GET from its path: `/orders/{id}` reads, `/orders/{id}/cancel` and `/createacct` may not. */

import {
  gluedVerb,
  isActionWord,
  isChangeVerb,
  isClearChange,
  isRecord,
  joinedChange,
} from './change-verbs.js';
import { isReadInPath, isReadPhrase, isReadVerb } from './read-verbs.js';
import { requestWords } from './request-words.js';
import type { Statement, Statements } from './statement.js';
import {
  headOf,
  isInformation,
  isNoun,
  isPlural,
  isPreposition,
  isSelection,
  isThing,
  singular,
} from './things.js';

/** A part of a path between slashes. */
interface Segment {
  /** The words of its fixed text. Empty for a parameter. */
  readonly words: readonly string[];
  /** The name of its parameter, if it is nothing else. */
  readonly param?: string;
  /** It stands where an action stands: at the end, behind a parameter, or behind a dot or a colon. */
  readonly isAction: boolean;
}

/** A segment with what is around it. */
interface Place extends Segment {
  /** The words that say what the segment is: `stops` in `stops_for_route`. */
  readonly head: readonly string[];
  readonly before: Segment | undefined;
  readonly next: Segment | undefined;
  /** Only parameters follow. */
  readonly isLast: boolean;
}

/** Parts that say nothing: `/api/v2`. */
const EMPTY =
  /^(?:api|rest|v?\d+(?:\.\d+)*(?:-?(?:alpha|beta)\d*)?|index\.php|wp-json|\.well-known|:)?$/i;

const EXTENSION =
  /\.(?:json|xml|csv|txt|html?|php|aspx?|jsp|cgi|do|view|action|svc|ashx|pdf|png|jpe?g|gif|svg|ico|js|css|rss|atom|ya?ml|md|zip|gz|ics|kml|geojson|m3u8|mp[34]|wsdl)$/i;

const PARAM = /^\{([^{}]*)\}(?:\.\w+|\.\{[^{}]*\})?$/;

/** Parameters that choose what is done: `/users/{id}/{verb}`. */
const CHOICES: ReadonlySet<string> = new Set(
  'action verb command cmd operation op method function func fn task event trigger state value level'.split(
    ' ',
  ),
);

/** These are choices only behind another parameter: `/gpio/{pin}/{state}`. */
const SECOND_CHOICES: ReadonlySet<string> = new Set('state value level event task'.split(' '));

/** Parameters that can be a new value: `/lights/{brightness}`. */
const NEW_VALUES: ReadonlySet<string> = new Set(
  `status mode amount percent percentage position volume brightness color colour temperature speed text message body
  title content payload answer vote rating score`.split(/\s+/),
);

/** Things that a GET of them makes: each call of `/oauth/token` makes a token. */
const MADE: ReadonlySet<string> = new Set(
  'token jwt otp nonce authorize authorise authorization login logout signin signout auth oauth sso session'.split(
    ' ',
  ),
);

/** Endpoints that run the program that they are given. */
const PROGRAMS: ReadonlySet<string> = new Set(
  'graphql sparql cypher sql jsonrpc xmlrpc eval exec'.split(' '),
);

/**
 * `name` are the words of the operation's name. A word that is a verb and a noun counts as a noun if the name reads it,
 * as in `getOrder` for `/shop/order/{id}`, and does not only repeat the method and the path.
 */
export function readPath(path: string, name: readonly string[]): Statements {
  const segments = segmentsIn(path);
  const own = isReadPhrase(name) && !isEcho(name, segments) ? name.slice(1) : [];
  const named = new Set(own.flatMap((word) => [word, singular(word)]));
  const against = segments.flatMap((segment, at) => {
    return againstIn(placeOf(segment, at, segments), named) ?? [];
  });
  return { reads: readsIn(segments), against };
}

function segmentsIn(path: string): Segment[] {
  const [plain = ''] = path.split(/[?#]/, 1);
  const parts = plain.split('/').filter((part) => !EMPTY.test(part));
  return parts.flatMap((part, i) => {
    const isAction = i === parts.length - 1 || PARAM.test(parts[i - 1]!);
    const param = PARAM.exec(part)?.[1];
    if (param !== undefined) return [{ words: [], param, isAction }];
    const text = part
      .replace(/\(.*\)$/, '')
      .replaceAll(/\{[^{}]*\}/g, ' ')
      .replace(EXTENSION, '');
    // `/chat.delete` and `/users:invite` call something by its name.
    const isLast = parts.slice(i + 1).every((each) => PARAM.test(each));
    const called = isLast ? text.split(/[.:](?=[\p{L}_-]+\s*$)/u) : [text];
    return called.map((each, at) => ({
      words: requestWords(each),
      isAction: at > 0 || (isAction && called.length === 1),
    }));
  });
}

function placeOf(segment: Segment, at: number, segments: readonly Segment[]): Place {
  return {
    ...segment,
    head: headOf(segment.words),
    before: segments[at - 1],
    next: segments[at + 1],
    isLast: segments.slice(at + 1).every(({ param }) => param !== undefined),
  };
}

/** A verb that reads, a plural, an id behind one, or a noun that only names information. */
function readsIn(segments: readonly Segment[]): Statement[] {
  const verb = segments.find(({ words }) => isReadInPath(words));
  if (verb) return [saying(verb.words.join(' '), 'read')];
  const rest = segments.filter(({ words, param }) => words.length > 0 || param !== undefined);
  // `/releases/latest` and `/users/{id}` are about the plural before them.
  while (rest.length > 1 && isChoiceOf(rest.at(-1)!)) rest.pop();
  const last = rest.at(-1);
  const things = last && isId(last) ? rest.at(-2) : last;
  const word = headOf(things?.words ?? []).at(-1) ?? '';
  // `/file/{file_id}` has the id of a file.
  const hasOwnId = isNoun(word) && !isChangeVerb(word) && namesParam(last, word);
  const isRead = isPlural(word) || hasOwnId || (isInformation(word) && things === last);
  return isRead ? [saying(word, 'read')] : [];
}

function isChoiceOf({ words }: Segment): boolean {
  return words.length > 0 && (words.every(isSelection) || isPreposition(words[0]!));
}

function isId({ param }: Segment): boolean {
  const word = requestWords(param ?? '').at(-1) ?? '';
  return param !== undefined && !CHOICES.has(word) && !NEW_VALUES.has(word);
}

function namesParam(segment: Segment | undefined, word: string): boolean {
  return segment?.param !== undefined && requestWords(segment.param).includes(word);
}

/** `named` are the words that the operation's name reads. */
function againstIn(place: Place, named: ReadonlySet<string>): Statement | undefined {
  const { words, param, before } = place;
  if (param !== undefined) return isChoice(param, before) ? saying(param) : undefined;
  if (words.length === 0) return undefined;
  const program = words.find((word) => PROGRAMS.has(word)) ?? joinedChange(words);
  if (program !== undefined) return saying(program);
  if (isReadPhrase(words)) return isMarking(place) ? saying(words[0]!, 'unknown') : undefined;
  const verb = verbIn(place, named);
  if (verb !== undefined) return saying(verb);
  return isUnknown(place) ? saying(place.head.at(-1)!, 'unknown') : undefined;
}

/** `/notifications/{id}/read` and `/notifications/read_all` mark something. */
function isMarking({ words, before, next }: Place): boolean {
  const isOfOne = words.length > 1 || before?.param !== undefined;
  return next === undefined && isOfOne && !isReadInPath(words);
}

/** The word of a segment that is a verb of a change, by its place. */
function verbIn(
  { words, head, before, next, isLast }: Place,
  named: ReadonlySet<string>,
): string | undefined {
  const [first = '', last = ''] = [words[0], head.at(-1)];
  // `listProvisions` reads provisions, so they are things.
  const isPlain = head.length === 1 || !(isActionWord(first) || isClearChange(first));
  const isListed = isPlain && named.has(`${last}s`.replace(/ys$/, 'ies'));
  const clear = [first, last].find(isClearChange);
  if (clear !== undefined && !isListed) return clear;
  const glued = words.find((word) => !isNoun(singular(word)) && isGlued(word));
  if (glued !== undefined) return glued;
  // A verb with its object: `start_scan`. `order_items` are things.
  const isNamed = (word: string): boolean => named.has(word) && isRecord(word);
  if (head.length > 1 && isActionWord(first) && !isNamed(first)) return first;
  const hasOwnId = namesParam(next, last);
  if (isLast && MADE.has(last)) return hasOwnId || isListed ? undefined : last;
  // In `/certificates/{id}/email/history` it says whose history.
  const isAlone = next === undefined || next.param !== undefined;
  if (!isAlone || !isChangeVerb(last) || isListed) return undefined;
  const isOfOne = next === undefined && before?.param !== undefined;
  return (isNamed(last) && !isOfOne) || (hasOwnId && isRecord(last)) ? undefined : last;
}

/** A word where an action stands that is not known to be anything else. */
function isUnknown({ words, head, next, isAction }: Place): boolean {
  const last = head.at(-1) ?? '';
  const isOfNext = isChangeVerb(last) && isThing(next?.words.at(-1) ?? '');
  const isRead = isReadInPath([last]) || (head.length > 1 && isReadVerb(last));
  return isAction && !isOfNext && !isRead && !isThing(last) && !isPreposition(words[0]!);
}

function isGlued(word: string): boolean {
  return gluedVerb(word, (rest) => isNoun(singular(rest)) || isPlural(rest)) !== undefined;
}

/** In `/operations/{operation}` it is the name of a thing. */
function isChoice(param: string, before: Segment | undefined): boolean {
  const word = requestWords(param).at(-1) ?? '';
  if (SECOND_CHOICES.has(word)) return before?.param !== undefined;
  if (!CHOICES.has(word) && !isClearChange(word)) return false;
  return singular(before?.words.at(-1) ?? '') !== word;
}

/** A name that repeats the method and every word of the path, as programs write it: `get_doors_id_lock`. */
function isEcho(name: readonly string[], segments: readonly Segment[]): boolean {
  return segments.flatMap(({ words }) => words).every((word) => name.includes(word));
}

function saying(word: string, says: Statement['says'] = 'change'): Statement {
  return { where: 'path', word, says };
}
