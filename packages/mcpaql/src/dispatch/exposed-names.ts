/** The names under which this caller sees the five tools: a gateway may have put its own words around ours. */

import type { Endpoint } from '@callsign/annotations';
import { type Call, memberText } from '@callsign/core';

/** By the name that the caller used for the tool of `endpoint`. Our own names where that tells nothing. */
export function exposedNames(
  call: Call,
  names: ReadonlyMap<Endpoint, string>,
  endpoint: Endpoint,
): ReadonlyMap<Endpoint, string> {
  const own = names.get(endpoint);
  const used: unknown = JSON.parse(memberText(call.params, 'name') ?? 'null');
  if (own === undefined || typeof used !== 'string' || used === own) return names;
  const at = used.lastIndexOf(own);
  if (at === -1) return names;
  const [before, after] = [used.slice(0, at), used.slice(at + own.length)];
  return new Map(Array.from(names, ([each, name]) => [each, `${before}${name}${after}`]));
}
