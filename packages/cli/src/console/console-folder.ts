/** Finds the folder of the built console. */

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Candidates: in a working copy, and beside or above the bundled command. */
const PLACES: readonly string[] = ['../../../../apps/console/dist/', '../console/', './console/'];

/** Returns the folder. If none exists, the one that the build would write. */
export function consoleFolder(): string {
  const places = PLACES.map((path) => new URL(path, import.meta.url));
  const found = places.find((folder) => existsSync(new URL('index.html', folder)));
  return fileURLToPath(found ?? places[0]!);
}
