/** The home folder of the user: from the environment, else from the system's list of users. */

import { userInfo } from 'node:os';
import { isAbsolute, parse } from 'node:path';

/** Where this process runs. Passed in by tests. */
export interface Home {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** The home folder for these variables. It is absolute: a relative one would depend on the working directory. */
export function homeIn(env: Home['env'] = process.env): Home {
  const { platform } = process;
  const own = env[platform === 'win32' ? 'USERPROFILE' : 'HOME'] ?? '';
  return { platform, env, home: isAbsolute(own) ? own : systemHome() };
}

function systemHome(): string {
  try {
    const { homedir } = userInfo();
    if (isAbsolute(homedir)) return homedir;
  } catch {
    // A container may run as a user that the system does not know.
  }
  return parse(process.cwd()).root;
}
