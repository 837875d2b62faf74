/** The stores of waiting calls and of answers in the database. An operator can decide a call on any instance. */

import {
  type AnswerStore,
  type ApprovalStore,
  type StoredApproval,
  NotPosted,
  type OperatorDecision,
  type Outcome,
} from '@callsign/governance';

import { SILENCE_MS } from '../../directory/instance-directory.js';
import type { News } from '../../news/news.js';
import { StorageError } from '../../storage/storage-error.js';
import type { Database } from '../database/database.js';
import { storableJson } from '../database/storable-json.js';

/** A waiting call. `waited` and `remaining` are milliseconds by the clock of the database. */
interface ApprovalRow {
  readonly id: string;
  readonly instance: string;
  readonly summary: Omit<StoredApproval, 'id' | 'instance' | 'waitedMs' | 'remainingMs'>;
  readonly waited: number;
  readonly remaining: number;
}

interface StateRow extends ApprovalRow {
  readonly decision: OperatorDecision | null;
  readonly outcome: Outcome | null;
}

const TOPIC = 'approvals';
const COLUMNS = `id, instance, summary,
  extract(epoch from clock_timestamp() - posted_at)::double precision * 1000 as waited,
  extract(epoch from ends_at - clock_timestamp())::double precision * 1000 as remaining`;

/** Posts and decides calls. The first decision counts, wherever it is made. */
export function postgresApprovals(database: Database, news: News): ApprovalStore {
  const approvals = database.name('approvals');
  // A call is lost with the instance where it waits.
  const waiting = `decision is null and outcome is null and ends_at > clock_timestamp() and instance in (
    select id from ${database.name('instances')}
    where seen_at > clock_timestamp() - interval '${SILENCE_MS} milliseconds')`;
  // An instance that misses the news finds the decision at its next reading.
  const tell = (id: string): void => void news.publish(TOPIC, id).catch(() => {});
  return {
    async post({ id, instance, whole, forMs, ...summary }) {
      // Returns the row that stands there, even if it came from an earlier attempt whose answer was lost.
      const [row] = await database
        .query<{ instance: string }>(
          `insert into ${approvals} as present (id, instance, summary, whole, ends_at)
           values ($1, $2, $3, $4, clock_timestamp() + $5::double precision * interval '1 millisecond')
           on conflict (id) do update set instance = present.instance returning instance`,
          [id, instance, storableJson(summary), storableJson(whole), forMs],
        )
        .catch((error: unknown) => {
          const isCertain = error instanceof StorageError && error.hasNoEffect;
          throw isCertain ? new NotPosted(error.message, { cause: error }) : error;
        });
      if (row!.instance !== instance) throw new NotPosted(`there is already a call ${id}`);
      tell(id);
    },
    async list() {
      const rows = await database.query<ApprovalRow>(
        `select ${COLUMNS} from ${approvals} where ${waiting} order by posted_at, id`,
      );
      return rows.map(approvalOf);
    },
    async find(id) {
      const [row] = await database.query<ApprovalRow>(
        `select ${COLUMNS.replace('summary', 'summary || whole as summary')} from ${approvals}
         where id = $1 and ${waiting}`,
        [id],
      );
      return row && approvalOf(row);
    },
    async decide(id, decision) {
      const decided = await database.query(
        `update ${approvals} set decision = $2, decided_at = clock_timestamp()
         where id = $1 and ${waiting} returning 1`,
        [id, storableJson(decision)],
      );
      if (decided.length > 0) tell(id);
      return decided.length > 0;
    },
    async state(id) {
      const [row] = await database.query<StateRow>(
        `select ${COLUMNS}, decision, outcome from ${approvals} where id = $1`,
        [id],
      );
      if (!row) return undefined;
      const { decision, outcome, ...approval } = row;
      const known = { ...(decision ? { decision } : {}), ...(outcome ? { outcome } : {}) };
      return { approval: approvalOf(approval), ...known };
    },
    async decisions(ids) {
      const rows = await database.query<{ id: string; decision: OperatorDecision }>(
        `select id, decision from ${approvals} where id = any($1) and decision is not null`,
        [ids],
      );
      return new Map(rows.map(({ id, decision }) => [id, decision]));
    },
    async end(instance, outcomes) {
      // A row for a call that is not there keeps out an attempt to post it that arrives later.
      await database.query(
        `insert into ${approvals} as present (id, instance, summary, whole, ends_at, outcome)
         select id, $1, '{}', '{}', clock_timestamp(), outcome
         from unnest($2::text[], $3::text[]) as ended (id, outcome)
         on conflict (id) do update set outcome = excluded.outcome, whole = '{}'
         where present.instance = $1 and present.outcome is null`,
        [instance, [...outcomes.keys()], [...outcomes.values()]],
      );
      for (const id of outcomes.keys()) tell(id);
    },
    watch: (run) => news.subscribe(TOPIC, run),
  };
}

function approvalOf({ summary, waited, remaining, ...row }: ApprovalRow): StoredApproval {
  return { ...summary, ...row, waitedMs: waited, remainingMs: remaining };
}

/**
 * Answers that count for a time, by the clock of the database. An answer that one instance gets counts on all
 * of them.
 */
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
