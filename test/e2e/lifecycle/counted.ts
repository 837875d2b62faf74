/**
 * Counts the starts of a server: a shell records each start, and then runs the server in its place.
 */

import { existsSync, readFileSync } from 'node:fs';

import type { ServerEntry } from '../gateway-process.js';

export function counted({ command, args = [], ...rest }: ServerEntry, log: string): ServerEntry {
  const note = 'echo "$$" >> "$0"; exec "$@"';
  return { ...rest, command: 'sh', args: ['-c', note, log, command, ...args] };
}

export function startsIn(log: string): number {
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').length : 0;
}
