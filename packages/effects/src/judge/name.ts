/** Reads the name of a tool: `list_users`, `kv_get`, `ListUsageTrigger`, `get_or_create`. */

import type { Effect } from '../hints/endpoints.js';
import { type Evidence, saying } from './evidence.js';
import { foreignWord } from './foreign.js';
import { type Certainty, isChange, isClearChange, verbOf } from './verbs.js';
import { mixesAlphabets, segmentsOf, wordsOf } from './words.js';

/** A verb and its position in the name. */
interface Place {
  readonly word: string;
  readonly effect: Effect;
  readonly certainty: Certainty;
  readonly at: number;
  /** The word is almost never a noun. */
  readonly isSure: boolean;
  /** The word before it is `or`, `and` or `then`. */
  readonly isJoined: boolean;
}

/** Longer names were not written by a person. */
const MAX_WORDS = 20;

/** The last part of a prefixed name is read, or else the whole name. Empty: there is no verb. */
export function readName(name: string): Evidence[] {
  if (mixesAlphabets(name)) {
    const because = 'the name mixes letters of two alphabets';
    return [{ where: 'name', word: name, effect: undefined, certainty: 'likely', because }];
  }
  const last = segmentsOf(name).at(-1) ?? '';
  const own = readWords(wordsOf(last), 'name');
  return own.length > 0 ? own : readWords(wordsOf(name), 'name');
}

/** Reads a title: `Delete a page`. `Email metrics` and `Order history` name things, not actions. */
export function readTitle(title: string): Evidence[] {
  const found = readWords(wordsOf(title), 'title');
  return found.some(({ effect, word }) => effect !== 'reads' && !isClearChange(word)) ? [] : found;
}

/** The verb that counts, and before it any other verb that a description must explain. */
function readWords(all: readonly string[], where: 'name' | 'title'): Evidence[] {
  const words = all.slice(0, MAX_WORDS);
  const places = placesOf(words);
  const head = headOf(places, words);
  if (head === undefined || isThing(head, words)) return [];
  const said = ({ word, effect, certainty }: Place, sure: Certainty = certainty): Evidence =>
    saying(where, word, effect, sure);
  const later = places.filter(({ at }) => at > head.at);
  const joined = later.filter((place) => place.isJoined && place.effect !== 'reads');
  if (head.effect !== 'reads') return [said(worst([head, ...joined], later))];
  if (joined.length > 0) return [said(worst(joined, []))];
  // `list_delete_markers` lists. The description decides.
  const rival = later.find(({ isSure, effect }) => isSure && effect !== 'reads');
  if (rival === undefined || isAspect(rival, words) || head.word === 'preview') return [said(head)];
  // Two verbs and nothing else change something: `find_replace`, `list_delete`.
  const isWhole =
    head.at === words.length - 2 && rival.word !== 'update' && rival.word !== 'create';
  if (isWhole) return [said(rival, 'likely')];
  return [said(head, 'weak'), said(rival, 'weak')];
}

/** Facts about an action that can be read: `get_update_status` updates nothing. */
const ASPECTS: ReadonlySet<string> = new Set(
  'status progress history preview access permission permissions time date count log logs options schema plan details'.split(
    ' ',
  ),
);

function isAspect({ at }: Place, words: readonly string[]): boolean {
  return ASPECTS.has(words.at(-1) ?? '') && at < words.length - 1;
}

/** Verbs that are mostly nouns behind another word: `wiki_link`, `address_book`. */
const THINGS_AT_END: ReadonlySet<string> = new Set(
  'link record book index tag order type cache store process handle use'.split(' '),
);

/** What is known of a thing, so the verb before it is its name: `cache_stats`, `order_history`. */
const KNOWN_OF_THINGS: ReadonlySet<string> = new Set(
  'stats statistics history info information metadata summary overview details analytics usage'.split(
    ' ',
  ),
);

function isThing({ word, at, isSure }: Place, words: readonly string[]): boolean {
  const last = words.length - 1;
  if (at > 0 && at === last) return THINGS_AT_END.has(word);
  return (
    !isSure &&
    !DONE.has(word) &&
    at < last &&
    verbOf(word)?.effect !== 'reads' &&
    KNOWN_OF_THINGS.has(words[last]!)
  );
}

/** Of the stated changes, the first one that does not only add; a later one is a doubt. */
function worst(done: readonly Place[], later: readonly Place[]): Place {
  const harm =
    done.find(({ effect, certainty }) => effect !== 'adds' && certainty === 'clear') ??
    done.find(({ effect }) => effect !== 'adds');
  if (harm) return harm;
  const doubt = later.find(
    ({ isSure, effect }) => isSure && effect !== 'adds' && effect !== 'reads',
  );
  return doubt ? { ...doubt, certainty: 'likely' } : done[0]!;
}

function placesOf(words: readonly string[]): Place[] {
  return words.flatMap((word, at): Place[] => {
    const verb = verbOf(word);
    const foreign = verb === undefined ? foreignWord(word) : undefined;
    const isJoined = /^(?:or|and|then)$/.test(words[at - 1] ?? '');
    if (foreign !== undefined) {
      const certainty = foreign === 'reads' ? 'likely' : 'clear';
      return [{ word, effect: foreign, certainty, at, isSure: true, isJoined }];
    }
    // Further on, `del` may be a Spanish word: `get_datos_del_cliente`.
    if (verb === undefined || (word === 'del' && at > 0)) return [];
    const place = {
      word,
      effect: verb.effect,
      certainty: verb.certainty,
      at,
      isSure: !verb.isNoun,
      isJoined,
    };
    const other = exception(word, words.slice(at + 1), words);
    if (other) return [{ ...place, ...other }];
    return verb.effect === 'reads' || isChange(verb) ? [place] : [];
  });
}

/**
 * The main verb of the name. The first word counts if it is a verb. Otherwise the first word that is always a verb counts,
 * or an earlier one with an object behind it: `slack_post_message`. The last word counts if it is a verb: `web_search`.
 */
function headOf(places: readonly Place[], words: readonly string[]): Place | undefined {
  const [first] = places;
  if (first === undefined || first.effect === 'reads') return first;
  const end = places.at(-1)!;
  const endsWithVerb = end.at === words.length - 1;
  // A noun and then its verb: `email_search`, `cache_purge`. But `email_mark_read` marks.
  const done = places.find(
    (place) => place.isSure || (DONE.has(place.word) && place.effect !== 'reads'),
  );
  const isNoun = !first.isSure && !DONE.has(first.word);
  if (isNoun && endsWithVerb && (end.effect === 'reads' ? end.certainty === 'clear' : end.isSure))
    return done ?? end;
  // `forward_geocode_tool` geocodes.
  const [, second] = places;
  if (isNoun && second?.at === first.at + 1 && second.isSure && second.effect === 'reads')
    return second;
  if (first.at === 0) return first;
  // A change at the end of a name counts: `worker_deploy`.
  return done ?? (endsWithVerb ? end : first);
}

/** Verbs that are also nouns, but not nouns for stored things. */
const DONE: ReadonlySet<string> = new Set(
  'mark set toggle close lock pin move change patch start stop complete'.split(' '),
);

/** Things that do not exist before someone asks for a new one. */
const ISSUED: ReadonlySet<string> = new Set(
  'token key secret password session address code'.split(' '),
);

/** What is sent when it is made: `create_phone_call`. */
const SENT: ReadonlySet<string> = new Set(
  `call calls message messages email emails sms payment payments charge charges refund refunds payout payouts transfer
  order orders purchase deployment deployments invitation invitations invite invites tweet notification
  notifications transaction transactions`.split(/\s+/),
);

/** Values that are made for the answer, and what can be tested without a trace. */
const COMPUTED: ReadonlySet<string> = new Set(
  'url uri uuid hash checksum summary query embedding embeddings diff'.split(' '),
);
const TESTED: ReadonlySet<string> = new Set('connection connectivity credentials auth'.split(' '));

/** Values, not things that are stored. */
const CONVERTED: ReadonlySet<string> = new Set(
  `base color colour coordinates csv currency date distance html json length markdown number temperature text time timestamp
  timezone unit units weight xml yaml`.split(/\s+/),
);

/** A verb that means something else together with the words behind it. */
function exception(
  word: string,
  rest: readonly string[],
  words: readonly string[],
): Pick<Place, 'effect' | 'certainty'> | undefined {
  const [next = ''] = rest;
  const last = rest.at(-1) ?? '';
  switch (word) {
    // `get_rid_of_file` removes it, `get_lock` takes a lock, `get_new_token` makes a token; `get_new_messages` reads.
    case 'get':
      if (next === 'rid') return { effect: 'destroys', certainty: 'likely' };
      if (rest.length === 1 && next === 'lock') return { effect: 'changes', certainty: 'likely' };
      return next === 'new' && ISSUED.has(last)
        ? { effect: 'adds', certainty: 'likely' }
        : undefined;
    case 'check':
      return next === 'in' || next === 'out'
        ? { effect: 'changes', certainty: 'likely' }
        : undefined;
    // `git_fetch` changes the repository, unlike every other fetch.
    case 'fetch':
      return words.includes('git') ? { effect: 'changes', certainty: 'likely' } : undefined;
    case 'create':
    case 'make':
    case 'place':
      return (SENT.has(last) || rest.includes('phone')) && !words.includes('draft')
        ? { effect: 'sends', certainty: 'clear' }
        : undefined;
    // `generate_auth_url` computes a value, and `test_connection` leaves none.
    case 'generate':
    case 'build':
      return COMPUTED.has(last) ? { effect: 'reads', certainty: 'likely' } : undefined;
    case 'test':
      return TESTED.has(last) ? { effect: 'reads', certainty: 'likely' } : undefined;
    case 'respond':
      return { effect: 'sends', certainty: 'clear' };
    // A person is asked, not a program.
    case 'ask':
      return /^(?:user|human|person|people|team|approval|permission|confirmation)s?$/.test(next)
        ? { effect: 'sends', certainty: 'likely' }
        : undefined;
    // `convert_time` computes; `convert_issue` may change the issue.
    case 'convert':
      return CONVERTED.has(last) || CONVERTED.has(next)
        ? { effect: 'reads', certainty: 'likely' }
        : undefined;
    // `merge_cells` can be taken back; a merged pull request cannot.
    case 'merge':
      return /^(?:pull|pr|mr|request|branch|merge)$/.test(next) || last === 'merge'
        ? { effect: 'sends', certainty: 'clear' }
        : undefined;
    default:
      return undefined;
  }
}

/** Fixed expressions: the verb and the last word. */
const EXPRESSIONS: ReadonlySet<string> = new Set([
  'edit distance',
  'patch notes',
  'remove background',
  'set difference',
  'set intersection',
  'set union',
]);

/** Things that are often made for the answer and not stored: `create_report`, `add_numbers`. */
const MADE_FOR_THE_ANSWER: ReadonlySet<string> = new Set(
  'chart diagram diff estimate graph hash numbers plan prompt query report summary'.split(' '),
);

/** Whether the verb of a name belongs to what is asked for: `update_history` updates no history. */
export function isAskedFor({ word, effect }: Evidence, name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  // Sending counts, even if it sends a preview.
  if (effect === 'reads' || word === 'send') return false;
  if (EXPRESSIONS.has(`${word} ${last}`) || last === 'preview') return true;
  // A history can be deleted, and a status set.
  if (last === 'history') return effect !== 'destroys';
  if (last === 'status' || last === 'progress')
    return verbOf(word)?.isNoun === true && !DONE.has(word);
  // `add` alone may add numbers.
  return effect === 'adds' && (MADE_FOR_THE_ANSWER.has(last) || words.length === 1);
}
