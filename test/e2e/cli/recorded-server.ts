/** Entries of a configuration for servers that offer recorded or given tools. */

import { join } from 'node:path';

import { ROOT } from '../../architecture/tree.js';
import type { ServerEntry } from '../gateway-process.js';
import type { Home } from './callsign.js';

const CHILD = join(ROOT, 'test', 'fixtures', 'recorded-child.mjs');

/** A real server as it was recorded in test/recordings/servers. */
export function recorded(name: string): ServerEntry {
  return offering(join(ROOT, 'test', 'recordings', 'servers', `${name}.json`));
}

/** A server with these tools. Writing the file again changes them for the next start. */
export function written(home: Home, name: string, tools: readonly object[]): ServerEntry {
  return offering(home.write(`${name}-tools.json`, JSON.stringify({ tools })));
}

function offering(file: string): ServerEntry {
  return { command: process.execPath, args: [CHILD, file] };
}
