/** Where the built console is. */

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** In a working copy, and beside or above a file of the bundled command. */
const PLACES: readonly string[] = ['../../../../apps/console/dist/', '../console/', './console/'];

/** The folder; if there is none, the one where the build puts it. */
export function consoleFolder(): string {
  const places = PLACES.map((path) => new URL(path, import.meta.url));
  const found = places.find((folder) => existsSync(new URL('index.html', folder)));
  return fileURLToPath(found ?? places[0]!);
}
