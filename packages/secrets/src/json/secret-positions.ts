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

/** Whether a member names another one: `name` in `{ "name": "Authorization", "value": "…" }`. */
export function isLabelName(key: string): boolean {
  return LABELS.has(key.toLowerCase());
}

/** Whether a member is named by another one: `value` in the example above. */
export function isValueName(key: string): boolean {
  return VALUES.has(key.toLowerCase());
}

/** Whether the next element of a list is a secret: after `--password`, or after `Authorization`. */
export function announcesSecret(element: string): boolean {
  if (/^--?[A-Za-z][\w-]*$/.test(element)) return isSecretName(element);
  return /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-[\w-]*(?:key|token))$/i.test(element);
}

/** Whether the text of a label names a secret. */
export function namesSecret(label: unknown): boolean {
  return typeof label === 'string' && label.length <= 200 && isSecretSetting(label);
}
