/** Each file of tests has its own state folder, so that no user's records are touched. */

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll } from 'vitest';
import { removeFolder } from './testing/remove-folder.js';

const folder = mkdtempSync(join(tmpdir(), 'callsign-state-'));
process.env['XDG_STATE_HOME'] = folder;
// Every process that a test starts would read these certificates first, for no use: tests talk to
// this machine alone.
delete process.env['NODE_EXTRA_CA_CERTS'];

afterAll(() => removeFolder(folder));
