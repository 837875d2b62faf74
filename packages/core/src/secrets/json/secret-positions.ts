/** Places in JSON where a neighbour names the secret, not its own key. */

import { isSecretName, isSecretSetting } from '../names/secret-names.js';

const LABELS: ReadonlySet<string> = new Set([
  'field',
  'header',
  'key',
  'name',
  'param',
  'variable',
]);
const VALUES: ReadonlySet<string> = new Set(['content', 'data', 'default', 'value', 'values']);

/** Members that describe a place on a page, and members with the text that is typed there. */
const PLACES: ReadonlySet<string> = new Set([
  'element',
  'label',
  'locator',
  'placeholder',
  'selector',
]);
const TYPED: ReadonlySet<string> = new Set(['text', 'value']);
/** Longer texts are values, not names. */
const MAX_LABEL = 200;

/**
 * The members, in small letters, that are secret because the member `key` of the same object has this
 * text: `value` for `"name": "Authorization"`, `text` for `"selector": "#password"`.
 */
export function secretMembers(key: string, label: unknown): ReadonlySet<string> | undefined {
  if (typeof label !== 'string' || label.length > MAX_LABEL) return undefined;
  const name = key.toLowerCase();
  if (LABELS.has(name) && isSecretSetting(label)) return VALUES;
  return PLACES.has(name) && isSecretName(label) ? TYPED : undefined;
}

/** Whether the next element of a list is a secret: after `--password`, or after `Authorization`. */
export function announcesSecret(element: string): boolean {
  if (/^--?[A-Za-z][\w-]*$/.test(element)) return isSecretName(element);
  return /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-[\w-]*(?:key|token))$/i.test(element);
}
