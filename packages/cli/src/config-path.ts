/** Where the configuration is, from what was typed. */

import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

import { usageFailure } from './failure.js';

const USUAL_FILE = 'callsign.json';

export function configPath(written: string = USUAL_FILE): string {
  if (written === '') throw usageFailure('--config takes the path of a file.');
  return resolve(fromHome(written));
}

/** Where no shell has done this. */
function fromHome(path: string): string {
  return /^~[/\\]/.test(path) ? join(homedir(), path.slice(2)) : path;
}
