// The tables that are measured: SQLite in the folder, or a real PostgreSQL that is started for it.
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { startPostgres } from '../../scripts/postgres/postgres-server.mjs';
import { coreTime } from '../processes.mjs';
import { sqliteStores } from '../../packages/audit/dist/query.js';

/** The unit of times in /proc. */
const TICK_MS = 10;

export function openSqlite(folder) {
  const store = sqliteStores.open({ folder, settings: undefined });
  return {
    store,
    source: undefined,
    bytes: () => statSync(join(folder, 'calls.db')).size,
    cpuMs: () => ownCpuMs(),
    close: () => store.close(),
  };
}

export async function openPostgres() {
  // With fsync, as in production.
  const server = await startPostgres({ settings: { fsync: 'on', shared_buffers: '256MB' } });
  const { openStorage } = await import('../../packages/instances/dist/postgres/index.js');
  const { Database, connectionOptions } =
    await import('../../packages/instances/dist/postgres/index.js');
  const storage = await openStorage({
    settings: { postgres: server.url, schema: 'callsign', connections: 4 },
    clock: { now: () => performance.now(), after: () => () => undefined },
    log: () => undefined,
    isBrief: true,
  });
  const before = ownCpuMs() + serverCpuMs(server.pid);
  return {
    store: storage.calls,
    source: storage.journals,
    async bytes() {
      const connection = connectionOptions(server.url, undefined);
      const database = new Database({ connection, schema: 'callsign', connections: 1 });
      const [{ size }] = await database.query(
        'select pg_database_size(current_database()) as size',
      );
      await database.close();
      return size;
    },
    cpuMs: () => ownCpuMs() + serverCpuMs(server.pid) - before,
    async close() {
      await storage.close();
      await server.remove();
    },
  };
}

function ownCpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The server and its children, including those that have ended, such as workers of one query. */
function serverCpuMs(pid) {
  const args = ['-o', 'pid=', '--pid', String(pid), '--ppid', String(pid)];
  const pids = execFileSync('ps', args, { encoding: 'utf8' }).trim().split(/\s+/);
  const live = pids.reduce((sum, each) => sum + (coreTime(each) ?? 0) / 1000, 0);
  const [, fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(13, 15).map(Number);
  return live + (user + system) * TICK_MS;
}
