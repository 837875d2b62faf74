/** The names under which this caller sees the tools of a view: a gateway may have put its own words around ours. */

import { type Call, memberText } from '@callsign/core';

/** By the name that the caller used for the tool `called`. Our own names where that tells nothing. */
export function exposedNames<K>(
  call: Call,
  names: ReadonlyMap<K, string>,
  called: K,
): ReadonlyMap<K, string> {
  const own = names.get(called);
  const used: unknown = JSON.parse(memberText(call.params, 'name') ?? 'null');
  if (own === undefined || typeof used !== 'string' || used === own) return names;
  const at = used.lastIndexOf(own);
  if (at === -1) return names;
  const [before, after] = [used.slice(0, at), used.slice(at + own.length)];
  return new Map(Array.from(names, ([each, name]) => [each, `${before}${name}${after}`]));
}
