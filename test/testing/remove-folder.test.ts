import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { removeFolder } from './remove-folder.js';

/** Writes 2,000 files as fast as it can. */
const WRITER = `
  const { writeFileSync } = require('node:fs');
  for (let n = 0; n < 2_000; n++) {
    if (n === 500) console.log('writes');
    try {
      writeFileSync(process.argv[1] + '/' + n, '');
    } catch {
      // The folder is gone.
    }
  }
`;

it('a folder is removed while another process writes into it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'callsign-removed-'));
  const writer = spawn(process.execPath, ['-e', WRITER, folder]);
  onTestFinished(() => void writer.kill());
  await once(writer.stdout, 'data');
  removeFolder(folder);
  expect(existsSync(folder)).toBe(false);
});
