/**
 * A tool whose answers name other tools of its server, such as an adapter's, has to name them as its caller sees them.
 * Its definition has `"_meta": { "callsign/names": true }`; calls of it then carry the names of all such tools of the
 * server, by the server's own names.
 */

import type { Call } from '../call/call.js';
import type { Item } from '../call/item.js';
import { memberText } from '../json/json-text.js';

export const NAMES_META = 'callsign/names';

export function asksForNames({ json }: Item): boolean {
  if (!json.includes(NAMES_META)) return false;
  const meta = memberText(json, '_meta');
  return meta !== undefined && memberText(meta, NAMES_META) === 'true';
}

/** The call with these names. A gateway in front of this one may have announced its own names for them. */
export function withNames(call: Call, names: Readonly<Record<string, string>>): Call {
  const outer = announcedNames(call);
  const pairs = Object.entries(names).map(([own, name]) => [own, outer.get(name) ?? name]);
  const text = JSON.stringify(Object.fromEntries(pairs));
  return call.with({ carried: { ...call.carried, [NAMES_META]: text } });
}

/** The names that a call carries, or that its client has sent. Empty if there are none. */
export function announcedNames({ carried, params }: Call): ReadonlyMap<string, string> {
  const text = carried?.[NAMES_META] ?? memberText(memberText(params, '_meta') ?? '{}', NAMES_META);
  const names: unknown = JSON.parse(text ?? 'null');
  const isMap = typeof names === 'object' && names !== null;
  const pairs = isMap ? Object.entries(names as Record<string, unknown>) : [];
  return new Map(pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
}
