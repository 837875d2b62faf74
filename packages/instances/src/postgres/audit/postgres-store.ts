/** The tables of calls in the database. They are filled from the journals of all instances. */

import type {
  AuditStore,
  JournalSlice,
  ListOptions,
  Position,
  StoredRecord,
} from '@callsign/audit';
import type { Anchor, QueryResult, Stats, StatsGroup, TimelineStep } from '@callsign/audit';
import {
  type AuditFilter,
  AuditTrouble,
  GENESIS,
  isOfCallsOnly,
  partHeader,
} from '@callsign/audit/store';

import type { Database, Statements } from '../database/database.js';
import { addRecords, numberOf } from './call-records.js';
import { keepLines } from './journal-lines.js';
import { newestCalls, newestEvents, statsFor, timelineFor } from './calls-query.js';
import { pruneBefore } from './prune.js';
import { readOnly } from './read-only.js';
import { utcDay } from './utc-day.js';

/** How soon a record must be in the tables. */
const LAG_MS = 1_000;

/** How far a journal has been read into the tables. */
interface JournalRow extends Position {
  readonly id: number;
  readonly day: string;
  readonly last_n: number;
}

/** The store of calls that all instances share. It does not own the database. */
export class PostgresStore implements AuditStore {
  readonly lagMs: number = LAG_MS;
  readonly #database: Database;
  /** Days whose partitions exist for certain. */
  readonly #days = new Set<string>();

  constructor(database: Database) {
    this.#database = database;
  }

  async positions(journals?: readonly string[]): Promise<ReadonlyMap<string, Position>> {
    const table = this.#database.name('journals');
    const rows = await this.#ask(() =>
      this.#database.query<Position & { journal: string }>(
        `select journal, part, "offset" from ${table} where $1::text[] is null or journal = any($1)`,
        [journals ?? null],
      ),
    );
    return new Map(rows.map(({ journal, part, offset }) => [journal, { part, offset }]));
  }

  /**
   * Adds a slice in one transaction. Does nothing if the journal is no longer at `from`: another
   * instance was faster.
   */
  async add(
    journal: string,
    slice: JournalSlice,
    from: Position | undefined,
    to: Position,
  ): Promise<void> {
    const made = new Set<string>();
    await this.#ask(() =>
      this.#database.transaction(async (statements) => {
        const known = await this.#lock(statements, journal, slice, from);
        if (!known) return;
        const place = { journal: known.id, day: dayOf(slice) ?? known.day };
        const ensure = (day: string): Promise<void> => this.#ensure(statements, day, made);
        await ensure(place.day);
        await keepLines(this.#database, statements, place, slice.lines, { from, to });
        // Numbers only grow in a journal, so a record with a lower number was already added.
        const records = slice.records.filter(({ id }) => numberOf(id) > known.last_n);
        await addRecords(this.#database, statements, place.journal, records, ensure);
        const last = records.reduce((n, { id }) => Math.max(n, numberOf(id)), known.last_n);
        await statements.query(
          `update ${this.#database.name('journals')}
           set part = $2, "offset" = $3, day = $4, last_n = $5, changed_at = now() where id = $1`,
          [known.id, to.part, to.offset, place.day, last],
        );
      }),
    );
    // Only now: a rolled back transaction would have taken its partitions with it.
    for (const day of made) this.#days.add(day);
  }

  async anchor(journal: string, anchor: Anchor, isOpen: boolean): Promise<void> {
    // An older anchor is ignored: after a power failure, the machine may know fewer records.
    await this.#ask(() =>
      this.#database.query(
        `update ${this.#database.name('journals')} set anchor = $2, is_open = $3, anchor_n = $4
         where journal = $1 and (anchor is distinct from $2 or is_open <> $3) and anchor_n <= $4`,
        [journal, JSON.stringify(anchor), isOpen, anchor.end.n],
      ),
    );
  }

  async list({ limit, ...filter }: ListOptions): Promise<StoredRecord[]> {
    return await this.#ask(async () => {
      const calls = await newestCalls(this.#database, filter, limit);
      const events = isOfCallsOnly(filter) ? [] : await newestEvents(this.#database, filter, limit);
      return [...calls, ...events]
        .toSorted((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time)))
        .slice(-limit);
    });
  }

  async stats(filter: AuditFilter): Promise<Stats> {
    return await this.#ask(() => statsFor(this.#database, filter));
  }

  async timeline(filter: AuditFilter, step: TimelineStep): Promise<readonly StatsGroup[]> {
    return await this.#ask(() => timelineFor(this.#database, filter, step));
  }

  async query(sql: string, limit: number): Promise<QueryResult> {
    return await this.#ask(() => readOnly(this.#database, sql, limit));
  }

  /** Deletes records from before this time. Returns the number of deleted calls. */
  async prune(before: string): Promise<number> {
    // If a late journal has records of a deleted day, the partition must be created again.
    this.#days.clear();
    return await this.#ask(() => pruneBefore(this.#database, before));
  }

  /** Does nothing: the code that opened the database closes it. */
  async close(): Promise<void> {}

  /** Locks the journal until the transaction ends; `undefined` if it is not at this position. */
  async #lock(
    statements: Statements,
    journal: string,
    slice: JournalSlice,
    from: Position | undefined,
  ): Promise<JournalRow | undefined> {
    const table = this.#database.name('journals');
    if (!from) {
      await statements.query(
        `insert into ${table} (journal, writer, part, "offset", day, anchor)
         values ($1, $2, 0, 0, $3, $4) on conflict (journal) do nothing`,
        [
          journal,
          journal.slice(journal.lastIndexOf('-') + 1),
          dayOf(slice) ?? today(),
          JSON.stringify(firstAnchor(journal)),
        ],
      );
    }
    const [row] = await statements.query<JournalRow>(
      `select id, part, "offset", last_n, day::text from ${table} where journal = $1 for update`,
      [journal],
    );
    const { part, offset } = from ?? { part: 0, offset: 0 };
    return row?.part === part && row.offset === offset ? row : undefined;
  }

  /** Creates the partitions of a day. `made`: days of this transaction. */
  async #ensure(statements: Statements, day: string, made: Set<string>): Promise<void> {
    if (this.#days.has(day) || made.has(day)) return;
    await statements.query(`select ${this.#database.name('add_day')}($1)`, [day]);
    made.add(day);
  }

  /** Every error becomes an `AuditTrouble`. */
  async #ask<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      // A partition may have been dropped, or the transaction that created it rolled back.
      this.#days.clear();
      throw error instanceof AuditTrouble
        ? error
        : new AuditTrouble((error as Error).message, error);
    }
  }
}

/**
 * The day of a slice that begins a part; `undefined` if it continues one. A journal begins a new
 * part every day.
 */
function dayOf({ lines }: JournalSlice): string | undefined {
  const header = lines[0] === undefined ? undefined : partHeader(lines[0]);
  return header && utcDay(header.time);
}

/** Until the anchor of the machine follows. A journal without one looks as if its anchor had been deleted. */
function firstAnchor(journal: string): Anchor {
  const time = new Date().toISOString();
  return { journal, end: GENESIS, synced: -1, unwritten: 0, time, pid: 0, host: '' };
}

function today(): string {
  return utcDay(new Date().toISOString());
}
