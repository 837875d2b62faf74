/** Says that a configuration has no set with a name. */

import { nearestWord } from '@callsign/config';
import { onOneLine } from '@callsign/terminal';

/** `undefined`: there is such a set, or none is named. */
export function setProblem(
  name: string | undefined,
  { settings: { sets = {} } }: { readonly settings: { readonly sets?: object } },
): string | undefined {
  if (name === undefined || Object.hasOwn(sets, name)) return undefined;
  const names = Object.keys(sets);
  const all = names.length === 0 ? 'The configuration has none.' : `Sets: ${names.join(', ')}.`;
  const nearest = nearestWord(name, names);
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  return `There is no set "${onOneLine(name)}".${hint} ${all}`;
}
