/** A folder for one test, which is removed afterwards. */

import { join } from 'node:path';

import { scratch } from './scratch.js';

export function auditFolder(): string {
  const folder = scratch();
  return folder;
}

/** A folder for journals that does not exist yet. */
export function journalFolder(): string {
  return join(auditFolder(), 'state', 'audit');
}
