/** A folder for one test, which is removed afterwards. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

export function auditFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'callsign-audit-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder for journals that does not exist yet. */
export function journalFolder(): string {
  return join(auditFolder(), 'state', 'audit');
}
