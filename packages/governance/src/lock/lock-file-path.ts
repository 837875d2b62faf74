/** Where the lock file is: beside the configuration. */

import { dirname, join } from 'node:path';

/** All configurations in one folder share this file. */
export function lockFileOf(configFile: string): string {
  return join(dirname(configFile), 'callsign.lock.json');
}
