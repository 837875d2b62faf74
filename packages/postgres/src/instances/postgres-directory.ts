/**
 * The directory of instances in the database. It uses the clock of the database, so clocks of
 * machines may differ.
 */

import { type Instance, type InstanceDirectory, SILENCE_MS } from '@callsign/instances';

import type { Database } from '../database/database.js';

interface InstanceRow extends Omit<Instance, 'startedAt' | 'seenAt'> {
  readonly started_at: Date;
  readonly seen_at: Date;
}

/** How long the entry of an instance that ended without leaving is kept. */
const KEPT = '1 day';

/** `silenceMs`: an instance that has not announced itself for so long does not run. */
export function postgresDirectory(
  database: Database,
  silenceMs: number = SILENCE_MS,
): InstanceDirectory {
  const instances = database.name('instances');
  const running = `select * from ${instances}
    where seen_at > clock_timestamp() - $1::double precision * interval '1 millisecond'`;

  return {
    async announce({ id, address, key, configuration, version, state }) {
      await database.query(
        `insert into ${instances} as known (id, address, key, configuration, version, state)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (id) do update set
           address = excluded.address, key = excluded.key, configuration = excluded.configuration,
           version = excluded.version, state = excluded.state, seen_at = clock_timestamp()`,
        [id, address, key, configuration, version, state],
      );
    },
    async leave(id) {
      await database.query(
        `delete from ${instances} where id = $1 or seen_at < now() - interval '${KEPT}'`,
        [id],
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
  };
}

function instanceOf({ started_at, seen_at, ...row }: InstanceRow): Instance {
  return { ...row, startedAt: started_at.toISOString(), seenAt: seen_at.toISOString() };
}
