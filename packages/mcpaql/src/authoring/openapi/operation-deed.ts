/** Finds the action of an HTTP operation in its operationId, its description or its path. */

import { classify, type Endpoint, voicesOf } from '@callsign/effects';
import { lowerWords } from '@callsign/naming';

import type { HttpMethod } from '../../adapter/maps-to.js';

/** A verb, and the endpoint that it stands for. */
export interface Deed {
  readonly word: string;
  /** `undefined` for an unknown verb. */
  readonly endpoint: Endpoint | undefined;
  /** Whether the word rarely means anything else. */
  readonly isSure: boolean;
}

/** Verbs of a POST that changes nothing: it is a query that is too long for an address. */
export const ASKING: ReadonlySet<string> = new Set(
  `search query find list lookup filter count get fetch read retrieve describe show view validate verify check
  preview compare diff estimate calculate explain autocomplete suggest inspect`.split(/\s+/),
);

/** Verbs for damage other than a plain removal. */
export const HARMFUL: ReadonlySet<string> = new Set(
  `deactivate suspend ban block expire invalidate void disable cancel terminate kill stop shutdown
  reset revert rollback overwrite revoke archive empty purge wipe delete remove clear destroy
  unpublish detach withdraw`.split(/\s+/),
);

/** Verbs that run something and that the tables for tool names do not have. */
const RUNNING: ReadonlySet<string> = new Set(
  'simulate emulate end finish finalize capture share open activate process sign'.split(' '),
);

/** The action in an operationId. `PostCustomers` has none: it repeats the method and the path. */
export function deedInId(
  id: string | undefined,
  method: HttpMethod,
  path: string,
): Deed | undefined {
  const verb = method.toLowerCase();
  const all = lowerWords((id ?? '').slice(0, 200));
  const isMethod = all[0] === verb || all.at(-1) === verb;
  const rest = all.slice(
    all[0] === verb ? 1 : 0,
    all.at(-1) === verb && all.length > 1 ? -1 : undefined,
  );
  const inPath = new Set(lowerWords(path).map(stem));
  const isEcho =
    isMethod &&
    rest.every((word) => inPath.has(stem(word)) || /^(?:by|of|the|id|v\d+)$/.test(word));
  return isEcho ? undefined : deedIn((id ?? '').replaceAll('/', '.'), rest);
}

/** The action in the first words of a description: `Updates the specified customer`. */
export function deedInDescription(descriptions: readonly string[]): Deed | undefined {
  for (const text of descriptions) {
    const head = voicesOf({ name: '', description: text }).description.head;
    if (!head) continue;
    const { endpoint, confidence, because } = classify({ name: head.word });
    const isKnown = because.startsWith('its name');
    if (!isKnown && !HARMFUL.has(head.word) && !ASKING.has(head.word)) continue;
    return {
      word: head.word,
      endpoint: isKnown ? endpoint : ASKING.has(head.word) ? 'read' : 'update',
      isSure: isKnown && confidence === 'high',
    };
  }
  return undefined;
}

/** The action at the end of a path: `/users/{id}/deactivate`, `/messages:batchDelete`, `/search`. */
export function deedInPath(path: string): Deed | undefined {
  const [plain = ''] = path.split(/[?#]/, 1);
  const [last = '', before = ''] = plain.split('/').filter(Boolean).toReversed();
  const colon = last.lastIndexOf(':');
  const deed = last.slice(colon + 1);
  const unknown: Deed = { word: deed.toLowerCase(), endpoint: undefined, isSure: false };
  if (colon > 0) return deedIn(deed) ?? unknown;
  if (last.includes('{')) return undefined;
  // One word after a single object, not a plural: `/ships/{id}/launch`.
  if (before.endsWith('}') && /^[a-z]*[^\Ws]$/i.test(last)) return deedIn(last) ?? unknown;
  if (/^actions?$/i.test(last))
    return { word: last.toLowerCase(), endpoint: 'execute', isSure: false };
  // `/users.list` and `/calls.end` are calls by name; `/Keys.json` is not.
  const name = last.slice(last.lastIndexOf('.') + 1);
  const isCall = name !== last && !/^(?:json|xml|csv|txt|atom|html|js|php|aspx?)$/i.test(name);
  if (isCall) return deedIn(name) ?? { ...unknown, word: name.toLowerCase() };
  const [only, ...others] = lowerWords(last.replace(/\.\w+$/, ''));
  // `/searches` and `/check_transfers` are things; a segment that is a verb, or `verb_it`, is an action.
  if (only === undefined || !isDeed(only)) return others.length === 0 ? deedIn(name) : undefined;
  return others.length > 0 && isPlural(others.at(-1)!) && !isPlainDeed(only)
    ? undefined
    : deedIn(name);
}

/** The verb of a name. `words` are the relevant words of the name. */
function deedIn(
  text: string,
  words: readonly string[] = lowerWords(text.slice(0, 200)),
): Deed | undefined {
  if (words.length === 0) return undefined;
  const harm = words.find((word) => HARMFUL.has(word));
  const segments = text.split(/[./:]|__+/).filter(Boolean);
  const last = lowerWords(segments.at(-1) ?? '').filter((word) => words.includes(word));
  const { because, endpoint, confidence } = [last, words]
    .map((each) => classify({ name: each.join('_') }))
    .reduce((own, whole) => (own.because.startsWith('its name') ? own : whole));
  const [, word] = /^its name says "(.*)"$/.exec(because) ?? [];
  if (harm !== undefined && (word === undefined || endpoint === 'update')) {
    return { word: harm, endpoint: word === harm ? endpoint : 'update', isSure: false };
  }
  if (word !== undefined) return { word, endpoint, isSure: confidence === 'high' };
  const undone = words.find((each) => isUndoing(each));
  if (undone !== undefined) return { word: undone, endpoint: 'update', isSure: false };
  const runs = [words[0]!, words.at(-1)!].find((each) => RUNNING.has(each));
  if (runs !== undefined) return { word: runs, endpoint: 'execute', isSure: false };
  const asks = ASKING.has(words[0]!) ? words[0] : undefined;
  return asks === undefined ? undefined : { word: asks, endpoint: 'read', isSure: false };
}

/** `untrash` reverses `trash`. */
function isUndoing(word: string): boolean {
  const { endpoint, because } = classify({ name: word.replace(/^un/, '') });
  return /^un./.test(word) && endpoint === 'delete' && because.startsWith('its name');
}

function isDeed(word: string): boolean {
  return HARMFUL.has(word) || ASKING.has(word) || isPlainDeed(word);
}

function isPlainDeed(word: string): boolean {
  return classify({ name: word }).confidence === 'high';
}

function isPlural(word: string): boolean {
  return /[^s]s$/.test(word);
}

/** `customers` and `customer` are the same word here. */
function stem(word: string): string {
  return word.replace(/(?:es|s)$/, '');
}
