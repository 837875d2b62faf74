/**
 * The directory of instances in the database. It uses the clock of the database, so clocks of
 * machines may differ.
 */

import {
  type Instance,
  type InstanceDirectory,
  KEPT_MS,
  SILENCE_MS,
} from '../../directory/instance-directory.js';
import { readReport } from '../../directory/instance-report.js';
import type { Database } from '../database/database.js';
import { storableJson } from '../database/storable-json.js';

interface InstanceRow extends Omit<Instance, 'startedAt' | 'seenAt'> {
  readonly started_at: Date;
  readonly seen_at: Date;
}

interface KnownRow extends InstanceRow {
  readonly silent_ms: number;
  readonly report: unknown;
}

/** Reports are left out: each instance reads the list every few seconds. */
const COLUMNS = 'id, address, key, configuration, version, state, started_at, seen_at';
const ms = (parameter: string): string =>
  `${parameter}::double precision * interval '1 millisecond'`;

/** `silenceMs`: an instance that has not announced itself for so long does not run. */
export function postgresDirectory(
  database: Database,
  silenceMs: number = SILENCE_MS,
): InstanceDirectory {
  const instances = database.name('instances');
  const running = `select ${COLUMNS} from ${instances}
    where seen_at > clock_timestamp() - ${ms('$1')}`;

  return {
    async announce({ id, address, key, configuration, version, state }, report) {
      await database.query(
        `insert into ${instances} as known
           (id, address, key, configuration, version, state, report)
         values ($1, $2, $3, $4, $5, $6, $7::jsonb)
         on conflict (id) do update set
           address = excluded.address, key = excluded.key, configuration = excluded.configuration,
           version = excluded.version, state = excluded.state, seen_at = clock_timestamp(),
           report = coalesce(excluded.report, known.report)`,
        [id, address, key, configuration, version, state, report ? storableJson(report) : null],
      );
    },
    async leave(id) {
      await database.query(
        `delete from ${instances} where id = $1 or seen_at < clock_timestamp() - ${ms('$2')}`,
        [id, KEPT_MS],
      );
    },
    async find(id) {
      const [row] = await database.query<InstanceRow>(`${running} and id = $2`, [silenceMs, id]);
      return row && instanceOf(row);
    },
    async list() {
      const rows = await database.query<InstanceRow>(`${running} order by started_at, id`, [
        silenceMs,
      ]);
      return rows.map(instanceOf);
    },
    async known() {
      const rows = await database.query<KnownRow>(
        `select ${COLUMNS}, report,
           extract(epoch from clock_timestamp() - seen_at)::double precision * 1000 as silent_ms
         from ${instances} where seen_at > clock_timestamp() - ${ms('$1')}
         order by started_at, id`,
        [KEPT_MS],
      );
      return rows.map(({ silent_ms, report: stored, ...row }) => {
        const report = readReport(stored);
        return { ...instanceOf(row), silentMs: silent_ms, ...(report ? { report } : {}) };
      });
    },
  };
}

function instanceOf({ started_at, seen_at, ...row }: InstanceRow): Instance {
  return { ...row, startedAt: started_at.toISOString(), seenAt: seen_at.toISOString() };
}
