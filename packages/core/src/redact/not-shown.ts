/** Says which parts of arguments are not shown. All places that show a waiting call use it. */

import { quoted } from '../text/quoted.js';
import type { HiddenPart } from './hidden-parts.js';

/** One line, such as ``NOT SHOWN: 9 characters at `a.b` (too long).`` Missing if all is shown. */
export function notShown(hidden: readonly HiddenPart[]): string | undefined {
  return hidden.length === 0 ? undefined : `NOT SHOWN: ${hidden.map(partText).join('; ')}.`;
}

function partText({ at, characters, because }: HiddenPart): string {
  const count = characters === 1 ? '1 character' : `${characters} characters`;
  const why = because === 'secret' ? 'looks like a secret' : 'too long';
  return `${count} ${at === '' ? 'of the arguments' : `at ${quoted(at)}`} (${why})`;
}
