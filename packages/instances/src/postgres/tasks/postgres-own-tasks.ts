/** The gateway's own tasks in the database. Any instance can answer for them. */

import {
  afterItsProcess,
  type OwnTaskRecord,
  type OwnTaskStore,
  readOrder,
  readOwnTask,
} from '@callsign/wire/extensions';

import type { InstanceDirectory } from '../../directory/instance-directory.js';
import { Seal } from '../../keys/seal.js';
import type { News } from '../../news/news.js';
import { StorageError } from '../../storage/storage-error.js';
import type { Database } from '../database/database.js';

export interface PostgresOwnTasksOptions {
  readonly database: Database;
  readonly news: News;
  readonly directory: Pick<InstanceDirectory, 'find'>;
  /** The id of this instance. */
  readonly instance: string;
  /** Encrypt questions and results, newest first. Default: they are stored as they are. */
  readonly secrets: readonly string[] | undefined;
}

interface TaskRow {
  readonly id: string;
  readonly holder: string;
  readonly record: string;
  readonly is_closed: boolean;
}

const TOPIC = 'tasks';
const LABEL = 'callsign tasks 1';
const COLUMNS = 'id, holder, record, is_closed';

/** The first instance that finds that the holder has ended closes the record. */
export function postgresOwnTasks(options: PostgresOwnTasksOptions): OwnTaskStore {
  const { database, news, directory, instance, secrets } = options;
  const [tasks, orders] = [database.name('own_tasks'), database.name('task_orders')];
  const seal = secrets && new Seal(secrets, LABEL);
  const sealed = (value: object, id: string): string => {
    const text = JSON.stringify(value);
    return seal ? seal.seal(text, id) : text;
  };
  const opened = (text: string, id: string): string =>
    text.startsWith('{') ? text : (seal?.open(text, id) ?? '');
  const tell = (id: string): void => void news.publish(TOPIC, id).catch(() => {});

  async function recordIn(row: TaskRow): Promise<OwnTaskRecord | undefined> {
    const record = readOwnTask(opened(row.record, row.id));
    if (!record || row.is_closed || row.holder === instance || (await directory.find(row.holder)))
      return record;
    const closed = afterItsProcess(record, 'stopped answering');
    // Nothing changes if the task had ended.
    if (closed === record) return record;
    const [mine] = await database.query(
      `update ${tasks} set record = $2, is_closed = true
       where id = $1 and record = $3 and not is_closed returning 1`,
      [row.id, sealed(closed, row.id), row.record],
    );
    if (!mine) return find(row.id);
    tell(row.id);
    return closed;
  }

  async function find(id: string): Promise<OwnTaskRecord | undefined> {
    const [row] = await database.query<TaskRow>(
      `select ${COLUMNS} from ${tasks} where id = $1 and ends_at > clock_timestamp()`,
      [id],
    );
    return row && recordIn(row);
  }

  return {
    find,
    async save(record) {
      const { id, owner, createdAt, ttlMs } = record;
      const saved = await database.query(
        `insert into ${tasks} as known (id, owner, holder, record, ends_at) values ($1, $2, $3, $4,
           clock_timestamp() + $5::double precision * interval '1 millisecond')
         on conflict (id) do update set record = excluded.record where not known.is_closed
         returning 1`,
        [id, owner, instance, sealed(record, id), createdAt + ttlMs - Date.now()],
      );
      if (saved.length > 0) tell(id);
      // The reported end stays. But a call that was reported as not made must not be made.
      else if (record.phase !== 'ended')
        throw new StorageError('another instance has reported the end of this task');
    },
    async remove(id) {
      await database.query(`delete from ${tasks} where id = $1`, [id]);
    },
    async of(owner) {
      const rows = await database.query<TaskRow>(
        `select ${COLUMNS} from ${tasks} where owner = $1 and ends_at > clock_timestamp()
         order by created_at, id`,
        [owner],
      );
      const records = await Promise.all(rows.map(recordIn));
      return records.filter((record) => record !== undefined);
    },
    async give(id, order) {
      await database.query(`insert into ${orders} (task, text) values ($1, $2)`, [
        id,
        sealed(order, id),
      ]);
      tell(id);
    },
    async take(ids) {
      const rows = await database.query<{ n: number; task: string; text: string }>(
        `delete from ${orders} where task = any($1) returning n, task, text`,
        [ids],
      );
      return rows
        .toSorted((a, b) => a.n - b.n)
        .flatMap(({ task: id, text }) => {
          const order = readOrder(opened(text, id));
          return order ? [{ id, order }] : [];
        });
    },
    async sweep() {
      await database.query(`delete from ${tasks} where ends_at < clock_timestamp()`);
    },
    watch: (run) => news.subscribe(TOPIC, run),
  };
}
