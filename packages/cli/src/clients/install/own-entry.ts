/** The entry by which a client starts Callsign, or connects to one that already runs. */

import { realpathSync } from 'node:fs';

import type { WrittenEntry } from '@callsign/config';

import type { ClientApp } from '../apps/client-app.js';

/**
 * An entry that starts Callsign. Desktop applications have a short PATH, so it has full paths,
 * except for npx, whose cache is not a lasting path.
 */
export function startingEntry({ entryExtras = {} }: ClientApp, config: string): WrittenEntry {
  const script = realpathSync(process.argv[1] ?? '');
  const serve = ['serve', '--config', config];
  return /[/\\]_npx[/\\]/.test(script)
    ? { ...entryExtras, command: 'npx', args: ['-y', 'mcp-callsign', ...serve] }
    : { ...entryExtras, command: process.execPath, args: [script, ...serve] };
}

/**
 * An entry with the address of a running Callsign; `undefined` if the client only starts programs.
 */
export function connectingEntry({ remote }: ClientApp, url: string): WrittenEntry | undefined {
  return remote && { ...remote.extras, [remote.field]: url };
}
