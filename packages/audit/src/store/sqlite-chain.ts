/** What happens to the chain inside one transaction of SQLite: adding to its end, pruning its beginning. */

import { randomUUID } from 'node:crypto';

import type { AlarmRecord, Head, PrunedRecord } from '../record/audit-record.js';
import type { Draft, Retention } from './audit-store.js';
import { beginOf, type Block, blockOf, GENESIS, segmentAfter, type Segment } from './chain.js';
import { recordsIn } from './placed-record.js';
import { type Connection, prepared } from './sqlite-file.js';

/** Others wait to write for as long as it takes, so a large number goes in several goes. */
const PRUNED_AT_ONCE = 20_000;
/** When there is too much, make room for a while. */
const ROOM = 0.9;

export interface Appended {
  readonly head: Head;
  /** The anchor is wrong, and the chain says so now. */
  readonly isForced: boolean;
}

export function appendDrafts(
  db: Connection,
  anchor: Head | undefined,
  writer: string,
  drafts: readonly Draft[],
): Appended {
  const before = headOf(db);
  const wrong = whatIsWrong(db, before, anchor);
  let head = wrong === undefined ? before : appendAlarm(db, wrong, anchor);
  const row = prepared(db, 'SELECT last FROM writers WHERE writer = ?').get(writer);
  const last = (row as { last: number } | undefined)?.last ?? -1;
  const fresh = drafts.filter(({ n }) => n > last);
  for (const draft of fresh) head = put(db, head, draft);
  const newest = fresh.at(-1);
  if (newest) {
    const insert = 'INSERT OR REPLACE INTO writers (writer, last, time) VALUES (?, ?, ?)';
    prepared(db, insert).run(writer, newest.n, new Date().toISOString());
  }
  return { head, isForced: wrong !== undefined };
}

/** Compares the end of the chain with what the anchor knows of it. */
function whatIsWrong(db: Connection, head: Head, anchor: Head | undefined): string | undefined {
  if (!anchor) return `the anchor is gone; the chain had ${head.seq} records`;
  if (anchor.seq > head.seq) return `records after ${head.seq} are gone, up to ${anchor.seq}`;
  const same = prepared(db, 'SELECT 1 FROM segments WHERE seq = ? AND hash = ?');
  if (anchor.seq === head.seq ? anchor.hash === head.hash : same.get(anchor.seq, anchor.hash)) {
    return undefined;
  }
  // What it knows may have been pruned since.
  const there = segmentFrom(db, anchor.seq);
  const isGone = !there || anchor.seq <= beginOf(there);
  return isGone ? undefined : `record ${anchor.seq} is not the one that was written`;
}

export function pruneRecords(
  db: Connection,
  { before, maxBytes }: Retention,
): { readonly count: number; readonly head: Head } {
  const head = headOf(db);
  const oldest = segmentFrom(db, 0);
  if (!oldest) return { count: 0, head };
  const begin = beginOf(oldest);
  const used = usedBytes(db);
  const surplus = used > maxBytes ? 1 - (maxBytes * ROOM) / used : 0;
  const tooMany = Math.ceil((head.seq - begin) * surplus);
  let through: Head = { seq: begin, hash: oldest.prev };
  let next: Segment | undefined = oldest;
  while (next && through.seq - begin < PRUNED_AT_ONCE) {
    if (through.seq - begin >= tooMany && isYoung(next, before)) break;
    through = next;
    next = segmentFrom(db, through.seq + 1);
  }
  const count = through.seq - begin;
  if (count === 0) return { count, head };
  prepared(db, 'DELETE FROM segments WHERE seq <= ?').run(through.seq);
  prepared(db, 'DELETE FROM writers WHERE time < ?').run(before);
  return { count, head: put(db, head, blockOf([JSON.stringify(pruned(through, count))])) };
}

function isYoung(segment: Segment, before: string): boolean {
  for (const { record } of recordsIn(segment)) if (record.time >= before) return true;
  return false;
}

export function headOf(db: Connection): Head {
  const row = prepared(db, 'SELECT seq, hash FROM segments ORDER BY seq DESC LIMIT 1').get();
  const head = row as Head | undefined;
  return head ? { seq: head.seq, hash: head.hash } : GENESIS;
}

/** The segment that holds the record at a place, or else the next one. */
function segmentFrom(db: Connection, seq: number): Segment | undefined {
  const row = prepared(db, 'SELECT * FROM segments WHERE seq >= ? ORDER BY seq LIMIT 1').get(seq);
  return row as Segment | undefined;
}

export function appendAlarm(db: Connection, reason: string, anchor: Head | undefined): Head {
  const alarm: AlarmRecord = {
    kind: 'alarm',
    id: randomUUID(),
    time: new Date().toISOString(),
    severity: 'error',
    reason,
    ...(anchor ? { anchor } : {}),
  };
  return put(db, headOf(db), blockOf([JSON.stringify(alarm)]));
}

function put(db: Connection, head: Head, block: Block): Head {
  const { seq, prev, hash, body } = segmentAfter(head, block);
  const insert = 'INSERT INTO segments (seq, prev, hash, body) VALUES (?, ?, ?, ?)';
  prepared(db, insert).run(seq, prev, hash, body);
  return { seq, hash };
}

function usedBytes(db: Connection): number {
  const sql = `SELECT (page_count - freelist_count) * page_size AS bytes
    FROM pragma_page_count, pragma_freelist_count, pragma_page_size`;
  return (prepared(db, sql).get() as { bytes: number }).bytes;
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
