/**
 * Objects in JSON text in which one member names a secret and another holds it:
 * `{"name":"Authorization","value":"…"}`.
 */

import { JsonScan, NOWHERE } from '../json/json-scan.js';
import { secretMembers } from '../secrets/json/secret-positions.js';

/** Longer texts are values, not names. */
const MAX_LABEL = 200;
/**
 * Without one of these members an object holds no secret of this form. A search is cheaper than a
 * scan.
 */
const VALUE = /"(content|data|default|text|values?)"/gi;

/** The members of an object, in small letters, that hold a secret which another member names. */
type Named = ReadonlySet<string>;

/** Such objects, by the position in the text at which they start. Deeper ones are not searched. */
export function secretLabels(
  json: string,
  maxDepth: number,
): ReadonlyMap<number, readonly Named[]> {
  const found = new Map<number, Named[]>();
  const values = new Set(Array.from(json.matchAll(VALUE), ([, name]) => name!.toLowerCase()));
  if (values.size === 0) return found;
  const scan = new JsonScan(json);

  const visit = (start: number, depth: number): number => {
    const first = json[start];
    if (depth >= maxDepth || (first !== '{' && first !== '[')) return scan.skipValue(start);
    if (first === '[') return scan.visitArray(start, (element) => visit(element, depth + 1));
    return scan.visitObject(start, (key, valueStart) => {
      const end = visit(valueStart, depth + 1);
      const named = secretMembers(key, shortText(json, valueStart, end));
      if (named && [...values].some((name) => named.has(name))) {
        found.set(start, [...(found.get(start) ?? []), named]);
      }
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
