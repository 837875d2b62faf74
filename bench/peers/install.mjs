// Installs the peers into this folder, from the lock file.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { installFolder } from '../../scripts/install-folder.mjs';

const HERE = import.meta.dirname;

/** Why the peers could not be installed; `undefined` if they are installed. */
export function installPeers() {
  return installFolder(HERE);
}

/** The versions that are installed, by name. */
export function peerVersions() {
  const { dependencies } = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8'));
  return dependencies;
}
