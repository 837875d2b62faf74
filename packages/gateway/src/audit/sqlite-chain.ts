/** What happens to the chain inside one transaction of SQLite: adding to its end, pruning its beginning. */

import { randomUUID } from 'node:crypto';

import type { AlarmRecord, Head, PrunedRecord } from './audit-record.js';
import type { Line, Retention } from './audit-store.js';
import { GENESIS, linkAfter } from './chain.js';
import type { Connection } from './sqlite-file.js';

/** Others wait to write for as long as it takes, so a large number goes in several goes. */
const PRUNED_AT_ONCE = 20_000;
/** When there is too much, make room for a while. */
const ROOM = 0.9;
const ROWS_AT_ONCE = 100;
const COLUMNS = 4;

export interface Appended {
  readonly head: Head;
  /** The anchor is wrong, and the chain says so now. */
  readonly isForced: boolean;
}

export function appendLines(
  db: Connection,
  anchor: Head | undefined,
  writer: string,
  lines: readonly Line[],
): Appended {
  const before = headOf(db);
  const wrong = whatIsWrong(db, before, anchor);
  let head = wrong === undefined ? before : appendAlarm(db, wrong, anchor);
  const row = db.prepare('SELECT last FROM writers WHERE writer = ?').get(writer);
  const last = (row as { last: number } | undefined)?.last ?? -1;
  const fresh = lines.filter(({ n }) => n > last);
  const values: (number | string)[] = [];
  for (const { body } of fresh) {
    const link = linkAfter(head, body);
    values.push(link.seq, link.prev, link.hash, link.body);
    head = link;
  }
  insertRows(db, values);
  const newest = fresh.at(-1);
  if (newest) {
    db.prepare('INSERT OR REPLACE INTO writers (writer, last, time) VALUES (?, ?, ?)').run(
      writer,
      newest.n,
      new Date().toISOString(),
    );
  }
  return { head, isForced: wrong !== undefined };
}

/** Compares the end of the chain with what the anchor knows of it. */
function whatIsWrong(db: Connection, head: Head, anchor: Head | undefined): string | undefined {
  if (!anchor) return `the anchor is gone; the chain had ${head.seq} records`;
  if (anchor.seq > head.seq) return `records after ${head.seq} are gone, up to ${anchor.seq}`;
  const row = db.prepare('SELECT hash FROM records WHERE seq = ?').get(anchor.seq);
  const hash = (row as { hash: string } | undefined)?.hash;
  return hash === undefined || hash === anchor.hash
    ? undefined
    : `record ${anchor.seq} is not the one that was written`;
}

export function pruneRecords(
  db: Connection,
  { before, maxBytes }: Retention,
): { readonly count: number; readonly head: Head } {
  const head = headOf(db);
  const oldest = db.prepare('SELECT min(seq) AS seq FROM records').get() as { seq: number | null };
  const first = oldest.seq ?? head.seq + 1;
  const young = db
    .prepare(
      `SELECT seq FROM records
       WHERE CASE WHEN json_valid(body) THEN json_extract(body, '$.time') >= ? END
       ORDER BY seq LIMIT 1`,
    )
    .get(before) as { seq: number } | undefined;
  const byAge = (young?.seq ?? head.seq + 1) - first;
  const used = usedBytes(db);
  const surplus = used > maxBytes ? 1 - (maxBytes * ROOM) / used : 0;
  const bySize = Math.ceil((head.seq + 1 - first) * surplus);
  const count = Math.min(Math.max(byAge, bySize), PRUNED_AT_ONCE);
  if (count <= 0) return { count: 0, head };
  const through = db
    .prepare('SELECT seq, hash FROM records WHERE seq < ? ORDER BY seq DESC LIMIT 1')
    .get(first + count) as Head;
  db.prepare('DELETE FROM records WHERE seq <= ?').run(through.seq);
  db.prepare('DELETE FROM writers WHERE time < ?').run(before);
  return { count, head: put(db, head, pruned(through, count)) };
}

export function headOf(db: Connection): Head {
  const row = db.prepare('SELECT seq, hash FROM records ORDER BY seq DESC LIMIT 1').get();
  const head = row as Head | undefined;
  return head ? { seq: head.seq, hash: head.hash } : GENESIS;
}

export function appendAlarm(db: Connection, reason: string, anchor: Head | undefined): Head {
  return put(db, headOf(db), {
    kind: 'alarm',
    id: randomUUID(),
    time: new Date().toISOString(),
    severity: 'error',
    reason,
    ...(anchor ? { anchor } : {}),
  });
}

/** Many rows at a time: most of the cost of one is the way into the driver. */
function insertRows(db: Connection, values: readonly (number | string)[]): void {
  const insert = `INSERT INTO records (seq, prev, hash, body) VALUES `;
  const row = '(?, ?, ?, ?)';
  const step = ROWS_AT_ONCE * COLUMNS;
  const whole = values.length - (values.length % step);
  if (whole > 0) {
    const many = db.prepare(insert + Array(ROWS_AT_ONCE).fill(row).join());
    for (let at = 0; at < whole; at += step) many.run(values.slice(at, at + step));
  }
  if (whole === values.length) return;
  const rest = values.slice(whole);
  db.prepare(
    insert +
      Array(rest.length / COLUMNS)
        .fill(row)
        .join(),
  ).run(rest);
}

function put(db: Connection, head: Head, record: AlarmRecord | PrunedRecord): Head {
  const link = linkAfter(head, JSON.stringify(record));
  insertRows(db, [link.seq, link.prev, link.hash, link.body]);
  return link;
}

function usedBytes(db: Connection): number {
  const { bytes } = db
    .prepare(
      `SELECT (page_count - freelist_count) * page_size AS bytes
       FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
    )
    .get() as { bytes: number };
  return bytes;
}

function pruned(through: Head, count: number): PrunedRecord {
  return {
    kind: 'pruned',
    id: randomUUID(),
    time: new Date().toISOString(),
    severity: 'notice',
    through: { seq: through.seq, hash: through.hash },
    count,
  };
}
