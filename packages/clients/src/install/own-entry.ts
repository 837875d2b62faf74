/** The entry by which a client starts Callsign, or connects to a Callsign that runs. */

import { realpathSync } from 'node:fs';

import type { WrittenEntry } from '@callsign/config';

import type { ClientApp } from '../apps/client-app.js';

/** Programs with a window have a short PATH, so all paths are written out. npx is found without a path. */
export function startingEntry({ entryExtras = {} }: ClientApp, config: string): WrittenEntry {
  const script = realpathSync(process.argv[1] ?? '');
  const serve = ['serve', '--config', config];
  return /[/\\]_npx[/\\]/.test(script)
    ? { ...entryExtras, command: 'npx', args: ['-y', 'mcp-callsign', ...serve] }
    : { ...entryExtras, command: process.execPath, args: [script, ...serve] };
}

/** `undefined` if the client's file has no entries with an address. */
export function connectingEntry({ remote }: ClientApp, url: string): WrittenEntry | undefined {
  return remote && { ...remote.extras, [remote.field]: url };
}
