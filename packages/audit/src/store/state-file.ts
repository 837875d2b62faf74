/** Where the log is unless told otherwise: in the folder for a user's state. */

import { posix, win32 } from 'node:path';

import { stateFolder, type Home } from '@callsign/config';

export function defaultAuditFile(home?: Home): string {
  const path = (home?.platform ?? process.platform) === 'win32' ? win32 : posix;
  return path.join(stateFolder(home), 'audit.db');
}
