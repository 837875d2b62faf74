/** A folder for one test, which is removed afterwards. */

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { removeFolder } from './remove-folder.js';

export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'callsign-test-'));
  onTestFinished(() => removeFolder(folder));
  return folder;
}
