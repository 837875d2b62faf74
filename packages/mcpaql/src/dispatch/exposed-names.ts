/** The names of a view's tools as this caller sees them. A gateway may have added a prefix or a suffix. */

import { type Call, memberText, announcedNames } from '@callsign/core';

/**
 * A gateway in front of an adapter tells the names. Else all are derived from the one that the caller used for the tool
 * `called`. Unknown form: our own names.
 */
export function exposedNames<K>(
  call: Call,
  names: ReadonlyMap<K, string>,
  called: K,
): ReadonlyMap<K, string> {
  const announced = announcedNames(call);
  if (announced.size > 0)
    return new Map(Array.from(names, ([each, name]) => [each, announced.get(name) ?? name]));
  const own = names.get(called);
  const used: unknown = JSON.parse(memberText(call.params, 'name') ?? 'null');
  if (own === undefined || typeof used !== 'string' || used === own) return names;
  const at = used.lastIndexOf(own);
  if (at === -1) return names;
  const [before, after] = [used.slice(0, at), used.slice(at + own.length)];
  return new Map(Array.from(names, ([each, name]) => [each, `${before}${name}${after}`]));
}
