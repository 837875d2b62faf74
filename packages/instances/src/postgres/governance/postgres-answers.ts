/** Answers that were remembered for a time, in the database. They expire by its clock. */

import type { AnswerStore } from '@callsign/governance';

import type { Database } from '../database/database.js';

/** An answer that one instance gets counts on all of them. */
export function postgresAnswers(database: Database): AnswerStore {
  const answers = database.name('answers');
  return {
    async add(who, key, ms) {
      await database.query(
        `insert into ${answers} (who, key, ends_at)
         values ($1, $2, clock_timestamp() + $3::double precision * interval '1 millisecond')
         on conflict (who, key) do update set ends_at = excluded.ends_at`,
        [who, key, ms],
      );
    },
    async has(who, keys) {
      const found = await database.query(
        `select from ${answers} where who = $1 and key = any($2) and ends_at > clock_timestamp() limit 1`,
        [who, keys],
      );
      return found.length > 0;
    },
    async take(who, key) {
      const taken = await database.query<{ is_in_time: boolean }>(
        `delete from ${answers} where who = $1 and key = $2
         returning ends_at > clock_timestamp() as is_in_time`,
        [who, key],
      );
      return taken[0]?.is_in_time === true;
    },
  };
}
