/** Makes the commands that a text suggests work when they are copied. */

import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { shellWord } from '@callsign/config';

import type { ConfigPlace } from './config-path.js';
import type { Shell } from './shell.js';

/** The first words of the commands. The name of a client may be `callsign` too, and no command follows it. */
const WORDS = (
  'setup init import install uninstall serve connect stop restart service reload ' +
  'status console logs validate list get add add-json remove enable disable rename ' +
  'config tools labels trust names sets call search lint policy sandbox approvals ' +
  'audit lock login logout key secrets accounts sign-ins lightdash doctor ' +
  'completion adapter'
).replaceAll(' ', '|');

/**
 * A suggested command: `callsign` and a word. Not help, not a command with its own `--config`, and
 * not the command of a server (`callsign add NAME -- callsign …`).
 */
const COMMAND = new RegExp(
  String.raw`(?<![\w./@"-]|-- )callsign (?=(?:${WORDS})\b)(?![a-z -]*--(?:help|config)\b)`,
  'g',
);
/** Any command, with a flag before its name or without. */
const ANY_COMMAND = new RegExp(
  String.raw`(?<![\w./@"-]|-- |npx )callsign (?=(?:${WORDS}|--(?:config|help|version))\b)`,
  'g',
);

/** How a person starts the command: `callsign`, or with npx if the PATH has no such program. */
export function commandName({ env, script }: Pick<Shell, 'env' | 'script'>): string {
  if (env['npm_command'] !== 'exec') return NAME;
  // npx puts the folders of packages on the PATH, for this run only.
  const folders = (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && !/[/\\]node_modules[/\\]/.test(`${folder}/`));
  const isInstalled = folders.some((folder) =>
    [NAME, `${NAME}.cmd`].some((program) => existsSync(join(folder, program))),
  );
  if (isInstalled) return NAME;
  return isFromNpx(script) ? 'npx mcp-callsign' : `npx ${NAME}`;
}

const NAME = 'callsign';

/** Whether npx got the package for this run. Its cache is not a lasting path. */
function isFromNpx(script: string): boolean {
  return /[/\\]_npx[/\\]/.test(script);
}

/**
 * The command as a program and its arguments, for files of other programs. It has full paths, because desktop applications
 * have a short PATH, unless npx got the package.
 */
export function ownProgram(ownScript: string): [program: string, ...args: string[]] {
  const script = realpathSync(ownScript);
  return isFromNpx(script) ? ['npx', '-y', 'mcp-callsign'] : [process.execPath, script];
}

/**
 * Adds the `--config` of this command line. It is done where texts are written, because most texts
 * come from packages that know no command line, or from a running gateway. The path is absolute, so
 * that the command works in every folder. `name`: how the command is started.
 */
export function copyable(
  text: string,
  place: ConfigPlace | undefined,
  name: string = NAME,
): string {
  const whole =
    place?.origin === 'flag'
      ? text.replace(COMMAND, () => `${NAME} --config ${shellWord(place.file)} `)
      : text;
  return name === NAME ? whole : whole.replace(ANY_COMMAND, () => `${name} `);
}
