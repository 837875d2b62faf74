/** The PostgreSQL that tests start. */

import { chmodSync, cpSync, existsSync, mkdirSync, readlinkSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { connectionOptions, Database } from '@callsign/instances/postgres';
import { expect, it, onTestFinished, vi } from 'vitest';

import { postgresPrograms, startPostgres } from '../../scripts/postgres/postgres-server.mjs';
import { describeUnless, NO_POSTGRES } from './left-out.js';
import { scratch } from './scratch.js';

const NOT_ROOT =
  process.getuid?.() === 0 ? undefined : 'only root starts PostgreSQL as another user';

/** Whether all users create files there, each its own: the temporary folder. */
function isShared(folder: string): boolean {
  return (statSync(folder).mode & 0o1000) !== 0 || dirname(folder) === folder;
}

describeUnless(NO_POSTGRES ?? NOT_ROOT, 'PostgreSQL, started by root', () => {
  /** A folder that no other user can enter, as the home folder of root often is. */
  function privateFolder(): string {
    const folder = join(scratch(), 'a private folder');
    mkdirSync(folder, { mode: 0o700 });
    return folder;
  }

  it('runs a copy of its programs if they are in a private folder, and removes it (G21)', async () => {
    const installed = join(privateFolder(), 'installed');
    const options = { recursive: true, verbatimSymlinks: true };
    cpSync(dirname(postgresPrograms()!), installed, options);
    // As npm leaves them if the user creates files for itself only.
    chmodSync(installed, 0o700);
    chmodSync(join(installed, 'bin'), 0o700);
    vi.stubEnv('CALLSIGN_POSTGRES_BIN', join(installed, 'bin'));
    onTestFinished(() => void vi.unstubAllEnvs());
    const server = await startPostgres();
    onTestFinished(() => server.remove());
    const database = new Database({
      connection: connectionOptions(server.url, undefined),
      schema: 'none',
      connections: 1,
    });
    const answer = await database.query('select 1 as one').finally(() => database.close());
    expect(answer).toEqual([{ one: 1 }]);
    const copy = readlinkSync(`/proc/${server.pid}/exe`);
    expect(copy.startsWith(installed)).toBe(false);
    // No other user can replace the programs, or has made a folder above them.
    for (let place = copy; !isShared(place); place = dirname(place)) {
      expect([place, statSync(place).uid, statSync(place).mode & 0o022]).toEqual([place, 0, 0]);
    }
    await server.remove();
    expect(existsSync(copy)).toBe(false);
  });

  it('keeps its data elsewhere if the temporary folder is private (G21)', async () => {
    vi.stubEnv('TMPDIR', privateFolder());
    onTestFinished(() => void vi.unstubAllEnvs());
    const server = await startPostgres();
    onTestFinished(() => server.remove());
    expect(server.pid).toBeGreaterThan(0);
  });
});
