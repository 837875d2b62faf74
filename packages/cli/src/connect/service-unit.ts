/** The systemd unit that runs the gateway of a user. Clients start the gateway through it where it is installed. */

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { configFolder } from '@callsign/config/config-folder';
import { homeIn } from '@callsign/config/home';

import type { Where } from '../command/shell.js';
import { realPath } from './shared-gateway.js';

export const SERVICE = 'callsign.service';

/** Where systemd looks for the units of a user. */
export function unitFile(env: Where['env']): string {
  return join(dirname(configFolder(homeIn(env))), 'systemd', 'user', SERVICE);
}

/** The line of the unit that starts a gateway. Without clients it does not end. */
export function startLine(program: readonly string[], args: readonly string[]): string {
  // The command may be a link in a folder of the PATH. Clients start the file.
  const words = [...program.map(realPath), ...args, '--keep'];
  return `ExecStart=${words.map(argument).join(' ')}`;
}

/** Whether the unit of this user starts just this gateway. */
export function isService(
  program: readonly string[],
  args: readonly string[],
  env: Where['env'],
): boolean {
  try {
    return readFileSync(unitFile(env), 'utf8').split('\n').includes(startLine(program, args));
  } catch {
    return false;
  }
}

/** A word of a command line, where $ has a meaning too. */
function argument(word: string): string {
  return quoted(word).replace(/\$/g, '$$$$');
}

/** In the quotes of systemd, where % has a meaning. */
export function quoted(text: string): string {
  const plain = text.replace(/(["\\])/g, '\\$1').replace(/%/g, '%%');
  return `"${plain.replace(/\n/g, '\\n')}"`;
}
