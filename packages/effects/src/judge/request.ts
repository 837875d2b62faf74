/**
 * Reads the name and the path of an HTTP operation, as strictly as a proof needs it: `/orders/{id}` reads,
 * `/orders/{id}/cancel` and `/createacct` may not. A word that stands where an action stands, and that is not known to be
 * anything else, counts as an action.
 */

import { type Evidence, saying } from './evidence.js';
import { readName } from './name.js';
import { ACTION_KEY } from './parameters.js';
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
import { isClearChange, mayChange, provesRead, verbOf } from './verbs.js';
import { mixesAlphabets, segmentsOf, wordsOf } from './words.js';

// Names.

/** What programs add to a name for a GET. */
const BY_PROGRAMS = /^(?:GET|HEAD)[_\-/. ]+|Using(?:GET|HEAD)(?:_\d+)?$|-+format-*$/g;

/** Longer names were not written by a person. */
const MAX_WORDS = 40;

/** The words of a name, without the method that a program has put there. */
export function nameWords(name: string): string[] {
  return wordsOf(name.replace(BY_PROGRAMS, '')).slice(0, MAX_WORDS);
}

/** A name may repeat words of the path. */
export function readOperationName(name: string, path: string): Evidence[] {
  const inPath = new Set(wordsOf(path));
  const words = withoutParams(nameWords(name), path);
  const [first = '', last = ''] = [words[0], words.at(-1)];
  if (first === '') return [];
  const reads = readIn(name, words);
  const change = mixesAlphabets(name) ? name : changeIn(words, reads !== undefined);
  if (change !== undefined) return [changing('name', change)];
  if (reads !== undefined) return [saying('name', reads, 'reads', 'clear')];
  // The whole name is about a thing, or it may be an action that is not known.
  const unknown = [first, last].find(
    (word) => !isThing(word) && !(inPath.has(word) && words.length > 1),
  );
  const isPath = words.every((word) => inPath.has(word));
  return unknown === undefined || isPath ? [] : [saying('name', unknown, undefined, 'weak')];
}

/** A change that keeps the operation from being a proven read. */
function changing(where: 'name' | 'path', word: string): Evidence {
  const effect = verbOf(word)?.effect ?? 'changes';
  return saying(where, word, effect === 'reads' ? 'changes' : effect, 'weak');
}

/** `get_suppressions_email` of `/suppressions/{email}` ends with the name of a parameter. */
function withoutParams(words: string[], path: string): string[] {
  const params = new Set(
    Array.from(path.matchAll(/\{([^{}]*)\}/g), ([, name]) => wordsOf(name!)).flat(),
  );
  const end = words.findLastIndex((word) => !params.has(word));
  return end < 1 ? words : words.slice(0, end + 1);
}

/** The verb at the beginning of the name or of one of its last parts, or at its end. */
function readIn(name: string, words: readonly string[]): string | undefined {
  if (isReadPhrase(words) || (QUESTIONS.has(words[0]!) && words.length > 1)) return words[0];
  const parts = name.split(/[._/:# -]+/).map((part) => wordsOf(part));
  const own = parts.at(-1) ?? [];
  if (isReadPhrase(own) || QUESTIONS.has(own[0] ?? '')) return own[0];
  const phrase = parts.find((part) => part.length > 1 && isReadPhrase(part));
  return phrase?.[0] ?? words.find((word) => INNER.has(word)) ?? words.slice(-1).find(provesRead);
}

function changeIn(words: readonly string[], reads: boolean): string | undefined {
  const done = headOf(words);
  const joined = joinedChange(done);
  if (joined !== undefined) return joined;
  const [first = '', last = ''] = [words[0], done.at(-1)];
  if (isClearChange(first)) return first;
  if (isClearChange(last)) return last;
  // `connectGetNodeProxy` sends any request.
  if (first === 'connect') return first;
  if (reads) return isReadPhrase(words) ? made(words) : undefined;
  if (mayChange(last)) return last;
  // `order_types` are things. `open_gates` opens gates.
  const end = done.at(-1)!;
  const isThings = done.length > 1 && RECORDS.has(first) && (isPlural(end) || isSelection(end));
  return mayChange(first) && !isThings ? first : undefined;
}

/** `get_new_token` makes a token, and `get_lock` takes a lock. */
function made(words: readonly string[]): string | undefined {
  const [found] = readName(words.join('_'));
  return found && found.effect !== 'reads' && found.certainty !== 'weak' && !provesRead(found.word)
    ? found.word
    : undefined;
}

// Words.

/** Verbs that are seldom a noun, and so count in the middle of a name too: `actions_get_reviews_for_run`. */
const INNER: ReadonlySet<string> = new Set(
  'get list retrieve search fetch find lookup describe download'.split(' '),
);

/** `isMeetingRunning`, `hasPermission`: questions. */
const QUESTIONS: ReadonlySet<string> = new Set(['is', 'has', 'exists', 'are']);

/** Verbs that also change something as the last word behind an object: `/notifications/{id}/read` marks it. */
const DOUBTFUL_IN_PATHS: ReadonlySet<string> = new Set(
  'read view show check query fetch compare display see suggest estimate predict compute inspect translate decode encode parse explore infer filter'.split(
    ' ',
  ),
);

/** `checkin`, `check_out` and `check off` change something. */
const PARTICLES: ReadonlySet<string> = new Set(['in', 'out', 'off', 'mark', 'rid']);

/** `get` that is glued to what it gets: `getbalance`. No other word begins with it. */
const GLUED_READ =
  /^(get|fetch|list(?!en|ing|er)|search(?!er|ing)|lookup|find(?!er|ing))([\p{L}\p{N}]{3,})$/u;
const INNER_CHANGE =
  /create|delete|remove|update|insert|reset|clear|send|purge|flush|cancel|revoke|andset|orset|orcreate|lock$/;

/** Whether the words begin with a verb that reads. */
function isReadPhrase(words: readonly string[]): boolean {
  const [first = '', second = ''] = words;
  if (provesRead(first)) return !PARTICLES.has(second);
  if (first === 'look' && second === 'up') return true;
  if (words.length > 2 && QUESTIONS.has(first)) return true;
  const [, , glued] = GLUED_READ.exec(first) ?? [];
  return glued !== undefined && !INNER_CHANGE.test(glued);
}

/** Whether a verb in a path is a read wherever it stands. */
function isReadInPath(words: readonly string[]): boolean {
  const [first = '', second = 'all'] = words;
  return (
    isReadPhrase(words) && !(second === 'all' && words.length < 3 && DOUBTFUL_IN_PATHS.has(first))
  );
}
/** Nouns for what is stored, and verbs: `order`. The name of the operation, or a parameter, shows which. */
const RECORDS: ReadonlySet<string> = new Set(
  `access archive bid blacklist block blocklist book build bundle cache call cast change charge claim comment commit
  control deposit draft email exchange export feed follow fork grant host import index invite issue label like link
  lock mark merge message monitor order patch play post process pull purchase record refund release reply request
  run schedule session set share signal stake star stop store subscribe tag test token track trade transfer
  transition trash tweet update upload vote watch whitelist`.split(/\s+/),
);

/** Verbs that are seldom the first part of a compound noun. */
const ACTIONS: ReadonlySet<string> = new Set(
  `abort ack activate add answer apply ban begin book call cast clear click clone close confirm copy craft cut dial
  do drop email end feed fire flag generate give go hide hold join kick land launch leave lock make mark move mute
  new open pause play post press print pull push put refresh register renew reset run scan send set skip start stop
  switch sync take takeoff tap toggle touch turn unlock upgrade use verify wake warmup zap`.split(
    /\s+/,
  ),
);

/** A change that a name or a path adds to a read: `get_or_create`. */
function joinedChange(words: readonly string[]): string | undefined {
  return words.find((word, i) => /^(?:and|or|then)$/.test(words[i - 1] ?? '') && mayChange(word));
}

/**
 * Verbs that begin a word together with what they change: `createacct`, `addusers`. Short ones begin many nouns, so they
 * count only before a word that is known.
 */
const GLUED =
  /^(create|delete|remove|update|insert|reset|cancel|suspend|unsuspend|enable|disable|activate|deactivate|register|unregister|install|uninstall|subscribe|unsubscribe|restart|modify|change|rename|clear|purge|upload|publish|mark|send|start|stop|kill|edit|save|move|add|del|set)(\p{L}{2,})$/u;

/** What is left of a word that only belongs to the family of its verb: `updates`, `creators`, `settings`. */
const DERIVED =
  /^(?:s|es|e?d|e?rs?|ors?|(?:at|t|lat)?ions?|able|ability|ments?|als?|ances?|ures?|t?ings?|ees?|y|ies|ants?|ively?|ive|le|ly|up|ups|out|outs|ress(?:es)?|ons?|ition(?:s|al)?|kets?|ketplaces?|keters?|keting|downs?|list|lists|point|points|books?)$/;

/** The verb that a word of a path begins with. `isKnown` tells whether the rest of the word is one. */
function gluedVerb(word: string, isKnown: (rest: string) => boolean): string | undefined {
  const [, verb, rest] = GLUED.exec(word) ?? [];
  if (verb === undefined || rest === undefined || DERIVED.test(rest)) return undefined;
  return verb.length > 4 || isKnown(rest) ? verb : undefined;
}

// Paths.

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
  'token jwt otp nonce authorize authorise authorization login logout signin signout auth oauth sso session callback'.split(
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
export function readPath(path: string, name: readonly string[]): Evidence[] {
  const segments = segmentsIn(path);
  const own = isReadPhrase(name) && !isEcho(name, segments) ? name.slice(1) : [];
  const named = new Set(own.flatMap((word) => [word, singular(word)]));
  const against = segments.flatMap((segment, at) => {
    return againstIn(placeOf(segment, at, segments), named) ?? [];
  });
  return [...readQuery(path), ...against, ...readsIn(segments)];
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
      words: wordsOf(each),
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
function readsIn(segments: readonly Segment[]): Evidence[] {
  const verb = segments.find(({ words }) => isReadInPath(words));
  if (verb) return [saying('path', verb.words.join(' '), 'reads', 'clear')];
  const rest = segments.filter(({ words, param }) => words.length > 0 || param !== undefined);
  // `/releases/latest` and `/users/{id}` are about the plural before them.
  while (rest.length > 1 && isChoiceOf(rest.at(-1)!)) rest.pop();
  const last = rest.at(-1);
  const things = last && isId(last) ? rest.at(-2) : last;
  const word = headOf(things?.words ?? []).at(-1) ?? '';
  // `/file/{file_id}` has the id of a file.
  const hasOwnId = isNoun(word) && !mayChange(word) && namesParam(last, word);
  const isRead = isPlural(word) || hasOwnId || (isInformation(word) && things === last);
  return isRead ? [saying('path', word, 'reads', 'clear')] : [];
}

function isChoiceOf({ words }: Segment): boolean {
  return words.length > 0 && (words.every(isSelection) || isPreposition(words[0]!));
}

function isId({ param }: Segment): boolean {
  const word = wordsOf(param ?? '').at(-1) ?? '';
  return param !== undefined && !CHOICES.has(word) && !NEW_VALUES.has(word);
}

function namesParam(segment: Segment | undefined, word: string): boolean {
  return segment?.param !== undefined && wordsOf(segment.param).includes(word);
}

/** `named` are the words that the operation's name reads. */
function againstIn(place: Place, named: ReadonlySet<string>): Evidence | undefined {
  const { words, param, before } = place;
  if (param !== undefined) return isChoice(param, before) ? changing('path', param) : undefined;
  if (words.length === 0) return undefined;
  const program = words.find((word) => PROGRAMS.has(word)) ?? joinedChange(words);
  if (program !== undefined) return changing('path', program);
  if (isReadPhrase(words)) {
    return saying('path', words[0]!, isMarking(place) ? undefined : 'reads', 'weak');
  }
  const verb = verbIn(place, named);
  if (verb !== undefined) return changing('path', verb);
  return isUnknown(place) ? saying('path', place.head.at(-1)!, undefined, 'weak') : undefined;
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
  const isPlain = head.length === 1 || !(ACTIONS.has(first) || isClearChange(first));
  const isListed = isPlain && named.has(`${last}s`.replace(/ys$/, 'ies'));
  const clear = [first, last].find(isClearChange);
  if (clear !== undefined && !isListed) return clear;
  const glued = words.find((word) => !isNoun(singular(word)) && isGlued(word));
  if (glued !== undefined) return glued;
  // A verb with its object: `start_scan`. `order_items` are things.
  const isNamed = (word: string): boolean => named.has(word) && RECORDS.has(word);
  if (head.length > 1 && ACTIONS.has(first) && !isNamed(first)) return first;
  const hasOwnId = namesParam(next, last);
  if (isLast && MADE.has(last)) return hasOwnId || isListed ? undefined : last;
  // In `/certificates/{id}/email/history` it says whose history.
  const isAlone = next === undefined || next.param !== undefined;
  if (!isAlone || !mayChange(last) || isListed) return undefined;
  const isOfOne = next === undefined && before?.param !== undefined;
  return (isNamed(last) && !isOfOne) || (hasOwnId && RECORDS.has(last)) ? undefined : last;
}

/** A word where an action stands that is not known to be anything else. */
function isUnknown({ words, head, next, isAction }: Place): boolean {
  const last = head.at(-1) ?? '';
  const isOfNext = mayChange(last) && isThing(next?.words.at(-1) ?? '');
  const isRead = isReadInPath([last]) || (head.length > 1 && provesRead(last));
  return isAction && !isOfNext && !isRead && !isThing(last) && !isPreposition(words[0]!);
}

function isGlued(word: string): boolean {
  return gluedVerb(word, (rest) => isNoun(singular(rest)) || isPlural(rest)) !== undefined;
}

/** In `/operations/{operation}` it is the name of a thing. */
function isChoice(param: string, before: Segment | undefined): boolean {
  const word = wordsOf(param).at(-1) ?? '';
  if (SECOND_CHOICES.has(word)) return before?.param !== undefined;
  if (!CHOICES.has(word) && !isClearChange(word)) return false;
  return singular(before?.words.at(-1) ?? '') !== word;
}

/** A name that repeats the method and every word of the path, as programs write it: `get_doors_id_lock`. */
function isEcho(name: readonly string[], segments: readonly Segment[]): boolean {
  return segments.flatMap(({ words }) => words).every((word) => name.includes(word));
}

/**
 * The actions that a query or a fragment of the path names, as in `/?Action=ListQueues`. Only the API knows the meaning of
 * another fixed part, as in `/api?do=purge`.
 */
function readQuery(path: string): Evidence[] {
  const start = path.search(/[?#]/);
  if (start < 0) return [];
  const pairs = path
    .slice(start + 1)
    .split(/[?#&]/)
    .filter((pair) => pair !== '')
    .map((pair) => pair.split('=', 2) as [string, string?]);
  return pairs.flatMap(([key, value = '']): Evidence[] => {
    const isAction = ACTION_KEY.test(key);
    const words = wordsOf(segmentsOf(value).at(-1) ?? '');
    if (isReadPhrase(words)) return [saying('path', words[0]!, 'reads', 'clear')];
    // A parameter is read as one. A fragment is not sent: it only tells operations of one path apart.
    if (!isAction && (path[start] === '#' || /^\{[^{}]+\}$/.test(value))) return [];
    return [changing('path', isAction ? value : `${key}=${value}`)];
  });
}
