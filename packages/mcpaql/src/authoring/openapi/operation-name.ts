/** Names an operation whose author gave no name: an action and an object. */

import { wordsOf } from '@callsign/naming';

import type { HttpMethod } from '../../adapter/maps-to.js';
import { deedInPath } from './operation-deed.js';

const DONE: Readonly<Record<HttpMethod, string>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'replace',
  PATCH: 'update',
  DELETE: 'delete',
};

/** `GET /ships/{id}/crew` → `list_ship_crew`; `POST /users/{id}/deactivate` → `deactivate_user`. */
export function operationName(method: HttpMethod, path: string): string {
  const segments = path.split('/').filter((segment) => segment !== '' && !isVersion(segment));
  const last = segments.at(-1) ?? '';
  const isItem = last.includes('{');
  const deed = method === 'POST' || method === 'PUT' ? deedInPath(path) : undefined;
  const things = (deed && !isItem ? segments.slice(0, -1) : segments)
    .map((segment) => segment.replace(/\{[^{}]*\}/g, '').replace(/:.*$/, ''))
    .filter((segment) => segment !== '');
  const isMany = method === 'GET' && !isItem && isPlural(last);
  // `/ships/search` searches ships; `/ships/{id}/launch` launches a ship.
  const isOfMany = isMany || (deed !== undefined && !path.includes('}'));
  const nouns = things.map((thing, i) =>
    isOfMany && i === things.length - 1 ? thing : singular(thing),
  );
  const verb = deed ? wordsOf(last.slice(last.lastIndexOf(':') + 1)).join('_') : undefined;
  return [verb ?? (isMany ? 'list' : DONE[method]), ...nouns].join('_');
}

function isVersion(segment: string): boolean {
  return /^(?:api|rest|v\d+(?:\.\d+)*)$/i.test(segment);
}

function isPlural(word: string): boolean {
  return /[^su]s$/i.test(word) || /(?:ss|ch|x)es$/i.test(word);
}

function singular(word: string): string {
  if (/ies$/i.test(word)) return word.replace(/ies$/i, 'y');
  if (/(?:ss|ch|sh|x)es$/i.test(word)) return word.replace(/es$/i, '');
  return /[^su]s$/i.test(word) ? word.slice(0, -1) : word;
}
