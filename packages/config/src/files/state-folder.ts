/** The folder for a user's state, as each operating system defines it. */

import { posix, win32 } from 'node:path';

import { homeIn, type Home } from './home.js';

/** The folder may not exist yet. */
export function stateFolder({ platform, env, home }: Home = homeIn()): string {
  if (platform === 'win32') {
    const local = absolute(win32, env['LOCALAPPDATA']) ?? win32.join(home, 'AppData', 'Local');
    return win32.join(local, 'callsign');
  }
  // An explicit setting counts on macOS too.
  const state = absolute(posix, env['XDG_STATE_HOME']);
  if (state !== undefined) return posix.join(state, 'callsign');
  return platform === 'darwin'
    ? posix.join(home, 'Library', 'Application Support', 'callsign')
    : posix.join(home, '.local', 'state', 'callsign');
}

/** Ignores a relative folder, which would depend on the working directory. */
function absolute(path: typeof posix, folder: string | undefined): string | undefined {
  return folder !== undefined && path.isAbsolute(folder) ? folder : undefined;
}
