/** Decides the endpoint of an HTTP operation from its method and its words, and its danger. */

import { classify, type Endpoint, isSurelyVerb, readRequest } from '@callsign/effects';
import { lowerWords } from '@callsign/naming';

import { assumedDanger, type DangerLevel, isAtLeast } from '../../adapter/danger.js';
import type { HttpMethod } from '../../adapter/maps-to.js';
import {
  ASKING,
  type Deed,
  deedInDescription,
  deedInId,
  deedInPath,
  HARMFUL,
} from './operation-deed.js';

/** Everything about an operation that the decision may use. */
export interface HttpOperation {
  readonly method: HttpMethod;
  readonly path: string;
  /** The author's name for it, if any. */
  readonly id: string | undefined;
  /** Its summary and its description, as plain text. */
  readonly descriptions?: readonly string[];
  /** The endpoint that an extension of the document states, such as `x-kubernetes-action`. */
  readonly stated?: Endpoint | undefined;
}

/** The decision. `because` is part of the import report. */
export interface OperationClass {
  readonly endpoint: Endpoint;
  readonly because: string;
  /** Whether a person should check it. */
  readonly isGuess: boolean;
  /** Whether its words describe damage. */
  readonly isHarmful: boolean;
}

/** Verbs that may overwrite. They are not `create`, which promises not to overwrite. */
const OVERWRITING: ReadonlySet<string> = new Set('upsert save store put'.split(' '));

export function classifyOperation(operation: HttpOperation): OperationClass {
  const { method, path, id, descriptions = [], stated } = operation;
  const byId = deedInId(id, method, path);
  const byDescription = deedInDescription(descriptions);
  // `GET /archive` changes nothing; `GET deleteShip` may delete.
  const byPath = method === 'GET' ? undefined : deedInPath(path);
  const deeds = [byId, byDescription, byPath].filter((each) => each !== undefined);
  const harm = deeds.find(({ word }) => HARMFUL.has(word));
  const isHarmful = method === 'DELETE' || harm !== undefined;
  const sure = (endpoint: Endpoint, because: string = method): OperationClass => {
    return { endpoint, because, isGuess: false, isHarmful };
  };
  const guess = (endpoint: Endpoint, deed?: Deed): OperationClass => {
    return {
      endpoint,
      because: deed ? `${method} and "${deed.word}"` : method,
      isGuess: true,
      isHarmful,
    };
  };
  if (stated !== undefined && isPossible(stated, method)) {
    return sure(stated, 'what the document states');
  }
  switch (method) {
    case 'DELETE':
      return sure('delete');
    case 'GET':
      return classifyGet(operation, byId ?? byDescription, guess, sure);
    case 'PUT':
    case 'PATCH': {
      const deed = deeds.find(({ endpoint }) => endpoint === 'execute' || endpoint === 'delete');
      if (deed && (deed.isSure || deed === byPath || deed === byId))
        return guess(deed.endpoint!, deed);
      return harm
        ? guess(harm.endpoint === 'execute' ? 'execute' : 'update', harm)
        : sure('update');
    }
    case 'POST':
      return classifyPost(operation, deeds, guess, sure);
  }
}

/** What a document states cannot make a change harmless. */
function isPossible(stated: Endpoint, method: HttpMethod): boolean {
  if (stated === 'read') return method === 'GET';
  return stated !== 'create' || method !== 'DELETE';
}

type Guess = (endpoint: Endpoint, deed?: Deed) => OperationClass;
type Sure = (endpoint: Endpoint, because?: string) => OperationClass;

/** A GET that changes something is rare, and is never called without a review. */
function classifyGet(
  { method, path, id, descriptions = [] }: HttpOperation,
  deed: Deed | undefined,
  guess: Guess,
  sure: Sure,
): OperationClass {
  const words = { name: id ?? '', http: { method, path }, texts: descriptions, params: [] };
  const { reads, against } = readRequest(words);
  const changes = against.filter(({ says }) => says === 'change');
  const [statement] = [...changes, ...against];
  if (statement === undefined) return sure('read');
  const { word } = statement;
  const isDescribed = changes.some(({ where }) => where === 'text');
  const named = classify({ name: word });
  const isKnown = named.because.startsWith('its name');
  const by: Deed = { word, endpoint: isKnown ? named.endpoint : undefined, isSure: false };
  // `GET /archive` may be a thing; `GET /reboot` and `GET /ships/{id}/frobnicate` are actions.
  const isThing =
    !isDescribed && (deed === undefined ? !isSurelyVerb(word) : deed.endpoint === 'read');
  const isRead = reads.length > 0 || changes.length > 0 || statement.where === 'name';
  if (by.endpoint === 'read' || (isThing && isRead)) return guess('read', by);
  const endpoint = deed?.endpoint === 'read' ? undefined : deed?.endpoint;
  return guess(endpoint ?? by.endpoint ?? 'execute', by);
}

/** The operationId counts first, then the description, then the path. A change outweighs a read. */
function classifyPost(
  { path, id }: HttpOperation,
  deeds: readonly Deed[],
  guess: Guess,
  sure: Sure,
): OperationClass {
  const [chosen] = deeds;
  const isRead = chosen !== undefined && chosen.endpoint === 'read';
  const deed = isRead ? (deeds.find(({ endpoint }) => endpoint !== 'read') ?? chosen) : chosen;
  if (deed === undefined) return endsInParam(path) ? guess('update') : sure('create');
  if (HARMFUL.has(deed.word)) return guess(deed.endpoint ?? 'update', deed);
  if (deed.endpoint === 'read') {
    // A POST that claims to read, without a usual verb for queries, may do more.
    return guess(ASKING.has(deed.word) ? 'read' : 'execute', deed);
  }
  if (deed.endpoint !== 'create') return guess(deed.endpoint ?? 'execute', deed);
  const words = lowerWords(id ?? '');
  const isUpsert = OVERWRITING.has(deed.word) || (words.includes('or') && words.includes('update'));
  if (isUpsert) return guess('update', deed);
  return deed.isSure ? sure('create', `POST and "${deed.word}"`) : guess('create', deed);
}

/** The level for the adapter's file: the worse of words and name. `undefined` for a harmless operation. */
export function dangerOf(
  name: string,
  { endpoint, isHarmful }: OperationClass,
): DangerLevel | undefined {
  if (endpoint === 'read' || endpoint === 'create') return undefined;
  const assumed = assumedDanger(name, endpoint);
  if (isAtLeast(assumed, 'destructive')) return assumed;
  return isHarmful ? 'destructive' : undefined;
}

function endsInParam(path: string): boolean {
  return path.replace(/\/+$/, '').endsWith('}');
}
