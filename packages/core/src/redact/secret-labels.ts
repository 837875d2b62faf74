/**
 * Objects in JSON text in which one member names a secret and another holds it:
 * `{"name":"Authorization","value":"…"}`.
 */

import { isLabelName, isSecretSetting } from '@callsign/secrets';

import { JsonScan, NOWHERE } from '../json/json-scan.js';

/** Longer texts are values, not names. */
const MAX_LABEL = 200;
/**
 * Without one of these members an object holds no secret of this form. A search is cheaper than a
 * scan.
 */
const VALUE = /"(?:content|data|default|values?)"/i;

/** The positions in the text at which such objects start. Deeper objects are not searched. */
export function secretLabels(json: string, maxDepth: number): ReadonlySet<number> {
  const found = new Set<number>();
  if (!VALUE.test(json)) return found;
  const scan = new JsonScan(json);

  const visit = (start: number, depth: number): number => {
    const first = json[start];
    if (depth >= maxDepth || (first !== '{' && first !== '[')) return scan.skipValue(start);
    if (first === '[') return scan.visitArray(start, (element) => visit(element, depth + 1));
    return scan.visitObject(start, (key, valueStart) => {
      const end = visit(valueStart, depth + 1);
      const label = isLabelName(key) ? shortText(json, valueStart, end) : undefined;
      if (label !== undefined && isSecretSetting(label)) found.add(start);
      return end;
    });
  };

  visit(scan.skipSpace(0), 0);
  return found;
}

/** The text of a value, if it is a string and short. */
export function shortText(json: string, start: number, end: number): string | undefined {
  if (end === NOWHERE || json[start] !== '"' || end - start > MAX_LABEL) return undefined;
  return JSON.parse(json.slice(start, end)) as string;
}
