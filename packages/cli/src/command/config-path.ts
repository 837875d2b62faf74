/** Where a configuration is, as flags say it. */

import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

const USUAL_FILE = 'callsign.json';

export function configPath(given: string = USUAL_FILE): string {
  return resolve(fromHome(given));
}

/** Where a client starts us there is no shell to do this. */
function fromHome(path: string): string {
  return /^~[/\\]/.test(path) ? join(homedir(), path.slice(2)) : path;
}
