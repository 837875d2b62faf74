/** The board of waiting calls in the database. */

import type { ApprovalBoard, BoardApproval, OperatorDecision } from '@callsign/governance';
import type { News } from '@callsign/instances';

import type { Database } from '../database/database.js';

interface ApprovalRow {
  readonly id: string;
  readonly instance: string;
  readonly summary: Omit<
    BoardApproval,
    'id' | 'instance' | 'furthest' | 'waitedMs' | 'remainingMs'
  >;
  readonly furthest: BoardApproval['furthest'];
  readonly waited: number;
  readonly remaining: number;
}

const TOPIC = 'approvals';
const COLUMNS = `id, instance, furthest, summary,
  extract(epoch from clock_timestamp() - posted_at)::double precision * 1000 as waited,
  extract(epoch from ends_at - clock_timestamp())::double precision * 1000 as remaining`;
const WAITING = 'decision is null and ends_at > clock_timestamp()';

export function postgresBoard(database: Database, news: News): ApprovalBoard {
  const approvals = database.name('approvals');
  return {
    async post({ id, instance, whole, furthest, forMs, ...summary }) {
      await database.query(
        `insert into ${approvals} (id, instance, summary, whole, furthest, ends_at)
         values ($1, $2, $3, $4, $5, clock_timestamp() + $6::double precision * interval '1 millisecond')`,
        [id, instance, JSON.stringify(summary), JSON.stringify(whole), furthest, forMs],
      );
    },
    async list() {
      const rows = await database.query<ApprovalRow>(
        `select ${COLUMNS} from ${approvals} where ${WAITING} order by posted_at, id`,
      );
      return rows.map(approvalOf);
    },
    async find(id) {
      const [row] = await database.query<ApprovalRow>(
        `select ${COLUMNS.replace('summary', 'summary || whole as summary')} from ${approvals}
         where id = $1 and ${WAITING}`,
        [id],
      );
      return row && approvalOf(row);
    },
    async decide(id, decision) {
      const decided = await database.query(
        `update ${approvals} set decision = $2, decided_at = clock_timestamp()
         where id = $1 and ${WAITING} returning 1`,
        [id, JSON.stringify(decision)],
      );
      // Without the news, its instance finds the decision when it looks.
      if (decided.length > 0) await news.publish(TOPIC, id).catch(() => {});
      return decided.length > 0;
    },
    async decisions(ids) {
      const rows = await database.query<{ id: string; decision: OperatorDecision }>(
        `select id, decision from ${approvals} where id = any($1) and decision is not null`,
        [ids],
      );
      return new Map(rows.map(({ id, decision }) => [id, decision]));
    },
    async remove(ids) {
      await database.query(`delete from ${approvals} where id = any($1)`, [ids]);
    },
    watch: (run) => news.subscribe(TOPIC, run),
  };
}

function approvalOf({ summary, waited, remaining, ...row }: ApprovalRow): BoardApproval {
  return { ...summary, ...row, waitedMs: waited, remainingMs: remaining };
}
