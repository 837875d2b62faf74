/** The folder for a user's configuration, as each operating system defines it. */

import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

import type { Home } from './state-folder.js';

/** The folder may not exist yet. */
export function configFolder(
  { platform, env, home }: Home = { platform: process.platform, env: process.env, home: homedir() },
): string {
  if (platform === 'win32') {
    const { APPDATA: data = '' } = env;
    const roaming = win32.isAbsolute(data) ? data : win32.join(home, 'AppData', 'Roaming');
    return win32.join(roaming, 'callsign');
  }
  // An explicit setting counts on macOS too. A relative one would depend on the working directory.
  const { XDG_CONFIG_HOME: own = '' } = env;
  if (posix.isAbsolute(own)) return posix.join(own, 'callsign');
  return platform === 'darwin'
    ? posix.join(home, 'Library', 'Application Support', 'callsign')
    : posix.join(home, '.config', 'callsign');
}
