/** Which endpoint an HTTP operation belongs to, by its method and by what its words mean, and how much harm it can do. */

import { classify, type Endpoint } from '@callsign/annotations';
import { assumedDanger, type DangerLevel, type HttpMethod, isAtLeast } from '@callsign/mcpaql';
import { wordsOf } from '@callsign/naming';

export interface HttpOperation {
  readonly method: HttpMethod;
  readonly path: string;
  /** The name that its author gave it, if any. */
  readonly id: string | undefined;
}

export interface OperationClass {
  readonly endpoint: Endpoint;
  readonly because: string;
  /** Whether a person should look at it. */
  readonly isGuess: boolean;
  /** Whether its words speak of harm. */
  readonly isHarmful: boolean;
}

/** Verbs after which a POST changes nothing: it only has more to say than fits into an address. */
const ASKING: ReadonlySet<string> = new Set(
  `search query find list lookup filter count get fetch read retrieve describe validate verify check
  preview compare diff estimate calculate explain autocomplete suggest`.split(/\s+/),
);

/** Verbs of harm that is no plain removal. */
const HARMFUL: ReadonlySet<string> = new Set(
  `deactivate suspend ban block expire invalidate void disable cancel terminate kill stop shutdown
  reset revert rollback overwrite revoke archive empty purge wipe delete remove clear destroy
  unpublish detach withdraw`.split(/\s+/),
);

interface Deed {
  readonly word: string;
  readonly endpoint: Endpoint | undefined;
  /** Whether the word hardly ever means anything else. */
  readonly isSure: boolean;
}

export function classifyOperation({ method, path, id }: HttpOperation): OperationClass {
  // Whoever gets `/archive` archives nothing; whoever gets `deleteShip` may well delete.
  const inPath = method === 'GET' ? undefined : deedInPath(path);
  const deed = inPath ?? deedIn(id);
  const said = deed && `${method} and "${deed.word}"`;
  const isHarmful = deed !== undefined && HARMFUL.has(deed.word);
  const sure = (endpoint: Endpoint): OperationClass => {
    return { endpoint, because: method, isGuess: false, isHarmful };
  };
  const guess = (endpoint: Endpoint, because = said ?? method): OperationClass => {
    return { endpoint, because, isGuess: true, isHarmful };
  };
  switch (method) {
    case 'DELETE':
      return { ...sure('delete'), isHarmful: true };
    case 'GET':
      // An address that everybody may follow and that removes something: rare, and worth a look.
      return isHarmful && deed.endpoint !== 'read'
        ? guess(deed.endpoint ?? 'execute')
        : sure('read');
    case 'PUT':
    case 'PATCH':
      if (isHarmful) return guess(deed.endpoint ?? 'update');
      return deed?.endpoint === 'execute' ? guess('execute') : sure('update');
    case 'POST':
      if (deed === undefined) return endsInParam(path) ? guess('update') : sure('create');
      if (isHarmful) return guess(deed.endpoint ?? 'update');
      if (ASKING.has(deed.word)) return guess('read');
      // The method and the name say the same, each by itself.
      if (deed.endpoint === 'create' && (deed.isSure || !inPath)) {
        return { ...sure('create'), because: said! };
      }
      // A POST that is said to read, but not in one of the words above, may do more than that.
      return guess(
        deed.endpoint === undefined || deed.endpoint === 'read' ? 'execute' : deed.endpoint,
      );
  }
}

/** What to write into the adapter: the worse of what its words and its name say; nothing for the harmless. */
export function dangerOf(
  name: string,
  { endpoint, isHarmful }: OperationClass,
): DangerLevel | undefined {
  if (endpoint === 'read' || endpoint === 'create') return undefined;
  const assumed = assumedDanger(name, endpoint);
  if (isAtLeast(assumed, 'destructive')) return assumed;
  return isHarmful ? 'destructive' : undefined;
}

/** The deed that a path ends in: `/users/{id}/deactivate`, `/messages:batchDelete`, `/search`. */
export function deedInPath(path: string): Deed | undefined {
  const [last = '', before = ''] = path.split('/').filter(Boolean).toReversed();
  const colon = last.lastIndexOf(':');
  const deed = last.slice(colon + 1);
  const unknown: Deed = { word: deed.toLowerCase(), endpoint: undefined, isSure: false };
  if (colon > 0) return deedIn(deed) ?? unknown;
  if (last.includes('{')) return undefined;
  // One word behind a single thing, and not several of something: `/ships/{id}/launch`.
  if (before.endsWith('}') && /^[a-z]*[^\Ws]$/i.test(last)) return deedIn(last) ?? unknown;
  const [only, ...others] = wordsOf(last).map((word) => word.toLowerCase());
  // `/searches` and `/orders` are things; only a segment that is a verb, or starts with one, is a deed.
  return only === undefined || (others.length > 0 && !isDeed(only)) ? undefined : deedIn(last);
}

function deedIn(text: string | undefined): Deed | undefined {
  const words = wordsOf((text ?? '').slice(0, 200)).map((word) => word.toLowerCase());
  const harm = words.find((word) => HARMFUL.has(word));
  if (words.length === 0) return undefined;
  const { because, endpoint, confidence } = classify({ name: words.join('_') });
  const [, word] = /^its name says "(.*)"$/.exec(because) ?? [];
  if (harm !== undefined && (word === undefined || endpoint === 'update')) {
    return { word: harm, endpoint: word === harm ? endpoint : 'update', isSure: false };
  }
  if (word !== undefined) return { word, endpoint, isSure: confidence === 'high' };
  const asks = ASKING.has(words[0]!) ? words[0] : undefined;
  return asks === undefined ? undefined : { word: asks, endpoint: 'read', isSure: false };
}

function isDeed(word: string): boolean {
  return HARMFUL.has(word) || ASKING.has(word) || classify({ name: word }).confidence === 'high';
}

function endsInParam(path: string): boolean {
  return path.replace(/\/+$/, '').endsWith('}');
}
