/** Names an operation whose author gave no name: an action and an object. */

import { isVerb, judge } from '@callsign/effects';
import { wordsOf } from '@callsign/naming';

import type { HttpMethod } from '../../adapter/maps-to.js';

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
  const isAction = (method === 'POST' || method === 'PUT') && endsInAction(path, last);
  const things = (isAction && !isItem ? segments.slice(0, -1) : segments)
    .map((segment) => segment.replace(/\{[^{}]*\}/g, '').replace(/:.*$/, ''))
    .filter((segment) => segment !== '');
  const isMany = method === 'GET' && !isItem && isPlural(last);
  // `/ships/search` searches ships; `/ships/{id}/launch` launches a ship.
  const isOfMany = isMany || (isAction && !path.includes('}'));
  const nouns = things.map((thing, i) =>
    isOfMany && i === things.length - 1 ? thing : singular(thing),
  );
  const verb = isAction ? wordsOf(last.slice(last.lastIndexOf(':') + 1)).join('_') : undefined;
  return [verb ?? (isMany ? 'list' : DONE[method]), ...nouns].join('_');
}

/** `/ships/{id}/launch` and `/ships/search` do, `/ships` does not. */
function endsInAction(path: string, last: string): boolean {
  const { evidence } = judge({ name: '', http: { method: 'POST', path } });
  return evidence.some(({ effect, word }) => {
    const [verb = ''] = word.split(' ');
    return last.toLowerCase().includes(verb) && (effect !== 'reads' || isVerb(verb));
  });
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
