/** Makes the commands that a text suggests work when they are copied. */

import { shellWord } from '@callsign/config';

import type { ConfigPlace } from './config-path.js';

/**
 * A suggested command: `callsign` and a word. Not help, not a command with its own `--config`, and
 * not the command of a server (`callsign add NAME -- callsign …`).
 */
const COMMAND = /(?<![\w./@"-]|-- )callsign (?=[a-z])(?![a-z -]*--(?:help|config)\b)/g;

/**
 * Adds the `--config` of this command line. It is done where texts are written, because most texts
 * come from packages that know no command line, or from a running gateway. The path is absolute, so
 * that the command works in every folder.
 */
export function copyable(text: string, place: ConfigPlace | undefined): string {
  if (place?.origin !== 'flag') return text;
  return text.replace(COMMAND, () => `callsign --config ${shellWord(place.file)} `);
}
