/** The folder for a user's configuration, as each operating system defines it. */

import { posix, win32 } from 'node:path';

import { homeIn, type Home } from './home.js';

/** The folder may not exist yet. */
export function configFolder({ platform, env, home }: Home = homeIn()): string {
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
