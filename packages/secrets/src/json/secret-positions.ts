/** Positions in JSON where a secret is named by its neighbour instead of by its key. */

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

/** True for the member that names another: `name` in `{ "name": "Authorization", "value": "…" }`. */
export function isLabelName(key: string): boolean {
  return LABELS.has(key.toLowerCase());
}

/** True for the member that is named: `value` in the example above. */
export function isValueName(key: string): boolean {
  return VALUES.has(key.toLowerCase());
}

/** True if the next element of a list is a secret: after `--password`, or after `Authorization`. */
export function announcesSecret(element: string): boolean {
  if (/^--?[A-Za-z][\w-]*$/.test(element)) return isSecretName(element);
  return /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-[\w-]*(?:key|token))$/i.test(element);
}

/** True if a label's text names a secret. */
export function namesSecret(label: unknown): boolean {
  return typeof label === 'string' && label.length <= 200 && isSecretSetting(label);
}
