/** Leases in the database. They expire by its clock, so clocks of machines may differ. */

import type { Lease, Leases } from '../../leases/leases.js';
import type { Database } from '../database/database.js';

/** SQL for the end of a lease that lasts as many milliseconds as the parameter says. */
const end = (parameter: string): string =>
  `clock_timestamp() + ${parameter}::double precision * interval '1 millisecond'`;

/** The end of a lease that was released. Others ran out. */
const RELEASED = `'-infinity'::timestamptz`;

/** A released lease stays as a row, so that its fence keeps growing. */
export function postgresLeases(database: Database): Leases {
  const leases = database.name('leases');
  /** The condition for a lease that is still held under this fence. */
  const own = `name = $1 and holder = $2 and fence = $3 and ends_at > clock_timestamp()`;

  return {
    async take(name, holder, ms, isOnlyReleased = false) {
      const [lease] = await database.query<Lease>(
        `insert into ${leases} as held (name, holder, fence, ends_at)
         values ($1, $2, 1, ${end('$3')})
         on conflict (name) do update
           set holder = excluded.holder, fence = held.fence + 1, ends_at = ${end('$3')}
           where held.holder = excluded.holder
             or held.ends_at <= case when $4 then ${RELEASED} else clock_timestamp() end
         returning name, holder, fence`,
        [name, holder, ms, isOnlyReleased],
      );
      return lease;
    },
    async renew({ name, holder, fence }, ms) {
      const renewed = await database.query(
        `update ${leases} set ends_at = ${end('$4')} where ${own} returning 1`,
        [name, holder, fence, ms],
      );
      return renewed.length > 0;
    },
    async release({ name, holder, fence }) {
      await database.query(`update ${leases} set ends_at = ${RELEASED} where ${own}`, [
        name,
        holder,
        fence,
      ]);
    },
    async find(name) {
      const [lease] = await database.query<Lease>(
        `select name, holder, fence from ${leases} where name = $1 and ends_at > clock_timestamp()`,
        [name],
      );
      return lease;
    },
    async list() {
      return await database.query<Lease>(
        `select name, holder, fence from ${leases} where ends_at > clock_timestamp()
         order by name collate "C"`,
      );
    },
  };
}
