/**
 * Compares the tables of calls and events with the lines of the journals. The lines have a hash
 * chain, the tables have none: a change there is found only by comparing.
 *
 * It goes through lines and calls day by day, both in the order of their numbers. Memory holds only
 * calls of which one side was not met yet: those that were going on at that moment, or that began
 * before midnight.
 */

import type { StoredCall } from '@callsign/audit';
import {
  bucketOf,
  CALL_FACTS,
  type EventRecord,
  type Flaw,
  isComplete,
  isOfCall,
  recordOf,
  storedCall,
} from '@callsign/audit/store';

import type { Database, Statements } from '../database/database.js';
import { storableText } from '../database/storable-json.js';
import { FINGERPRINT, numberOf } from './call-records.js';
import { partitionDays, utcDay } from './utc-day.js';

/** How long one statement may take. The calls of a day are sorted in the database. */
const LIMIT_MS = 10 * 60_000;
const ROWS_AT_ONCE = 2_000;
/** Rows of `journal_lines`, with up to 2,000 lines each. */
const LINES_AT_ONCE = 16;
/** Calls of which one side was not met yet. With more, something is very wrong. */
const MAX_OPEN = 50_000;
/** Nothing younger than this is ever deleted for its age. */
const DAY_MS = 24 * 60 * 60_000;

interface JournalRow {
  readonly id: number;
  readonly journal: string;
  readonly writer: string;
  /** The last number whose lines were dropped for their age. */
  readonly pruned_n: number;
}

/** A row of a call, with its facts in lower case. */
interface CallRow extends Readonly<Record<string, unknown>> {
  readonly journal: number;
  readonly n: number;
  readonly ms: number | null;
}

interface LinesRow {
  readonly journal: number;
  readonly lines: string;
}

/** Tells every difference. Reads everything at one moment, so that instances may write meanwhile. */
export async function compareTables(database: Database, tell: (flaw: Flaw) => void): Promise<void> {
  await database.transaction(async (statements) => {
    await statements.query('set transaction isolation level repeatable read, read only');
    const comparison = await Comparison.begin(database, statements, tell);
    for (const day of await allDays(database, statements)) {
      if (!comparison.isFull) await comparison.day(day);
    }
    await comparison.end();
  }, LIMIT_MS);
}

/** A day, and the partition with its calls. */
interface Day {
  readonly day: string;
  readonly calls?: string;
}

/** The days of lines and of calls. Calls of other partitions come last: they belong to no line. */
async function allDays(database: Database, statements: Statements): Promise<Day[]> {
  const days = new Map<string, Day>(
    (await partitionDays(database, statements)).map((day) => [day, { day }]),
  );
  const tables = await statements.query<{ name: string }>(
    `select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
     where inhparent = $1::text::regclass`,
    [database.name('call_records')],
  );
  for (const { name } of tables) {
    const day = name.replace(/^call_records_(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
    days.set(day, { day, calls: database.name(name) });
  }
  return [...days.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1));
}

/** What is known of one call. */
interface OpenCall {
  row?: CallRow;
  /** From its intent, or from its end if it has no intent. */
  begin?: StoredCall;
  /** From its end. */
  end?: StoredCall;
}

class Comparison {
  readonly #database: Database;
  readonly #statements: Statements;
  readonly #tell: (flaw: Flaw) => void;
  readonly #journals: ReadonlyMap<number, JournalRow>;
  /** Before this moment, records may have been deleted for their age. */
  readonly #since: number;
  readonly #open = new Map<string, OpenCall>();
  #events = 0;
  /** There are too many differences to go on. */
  isFull = false;

  private constructor(
    database: Database,
    statements: Statements,
    tell: (flaw: Flaw) => void,
    journals: readonly JournalRow[],
    since: number,
  ) {
    this.#database = database;
    this.#statements = statements;
    this.#tell = tell;
    this.#journals = new Map(journals.map((row) => [row.id, row]));
    this.#since = since;
    for (const { journal, writer } of journals) {
      if (!journal.endsWith(`-${writer}`)) {
        this.#flaw(journal, journal, `The table says that it was written by ${writer}.`);
      }
    }
  }

  static async begin(
    database: Database,
    statements: Statements,
    tell: (flaw: Flaw) => void,
  ): Promise<Comparison> {
    const journals = await statements.query<JournalRow>(
      `select id, journal, writer, coalesce((pruned ->> 'n')::bigint, -1) as pruned_n
       from ${database.name('journals')}`,
    );
    // Old records are deleted from the oldest on, and only on the oldest day not as a whole.
    const [first] = await partitionDays(database, statements);
    const [oldest] = await statements.query<{ time: Date | null; now: Date }>(
      `select min(time) as time, now() as now from ${database.name('call_records')}`,
    );
    const ends = first === undefined ? 0 : Date.parse(first) + DAY_MS;
    const { time, now } = oldest!;
    const since = Math.min(ends, time?.getTime() ?? ends, now.getTime() - DAY_MS);
    return new Comparison(database, statements, tell, journals, since);
  }

  async day({ day, calls }: Day): Promise<void> {
    const rows = new Stepper(this.#rowsOf(calls));
    for await (const { journal, lines } of this.#linesOf(day)) {
      const records = lines.split('\n').flatMap((line) => recordOf(line) ?? []);
      const events: EventRecord[] = [];
      for (const record of records) {
        if (!isComplete(record)) continue;
        const n = numberOf(record.id);
        await rows.upTo(
          (row) => row.journal < journal || (row.journal === journal && row.n <= n),
          (row) => this.#takeRow(row),
        );
        if (isOfCall(record)) this.#takeCall(journal, record);
        else if (record.kind !== 'journal') events.push(record);
      }
      await this.#compareEvents(journal, events);
      if (this.isFull) return;
    }
    await rows.upTo(
      () => true,
      (row) => this.#takeRow(row),
    );
  }

  async end(): Promise<void> {
    for (const [key, call] of this.#open) this.#judge(key, call);
    const [events] = await this.#statements.query<{ count: number }>(
      `select count(*) as count from ${this.#database.name('events')}`,
    );
    const extra = events!.count - this.#events;
    if (extra > 0 && !this.isFull) {
      this.#flaw('events', 'events', `The table of events has rows that no journal has: ${extra}.`);
    }
  }

  async *#linesOf(day: string): AsyncIterable<LinesRow> {
    yield* this.#cursor<LinesRow>(
      'some_lines',
      `select journal, lines from ${this.#database.name('journal_lines')}
       where day = '${day}' order by journal, part, start`,
      /^\d{4}-\d{2}-\d{2}$/.test(day),
      LINES_AT_ONCE,
    );
  }

  async *#rowsOf(table: string | undefined): AsyncIterable<CallRow> {
    const facts = CALL_FACTS.map((name) => `facts.${name.toLowerCase()}`).join(', ');
    yield* this.#cursor<CallRow>(
      'some_calls',
      `select calls.journal, n, day::text, time, bucket, session, ms, waitedms, retries, sizein, sizeout, announced,
         encode(fingerprint, 'hex') as fingerprint, arguments, ${facts}
       from ${table} as calls left join ${this.#database.name('call_facts')} as facts using (fact)
       order by calls.journal, n`,
      table !== undefined,
      ROWS_AT_ONCE,
    );
  }

  async *#cursor<Row extends object>(
    name: string,
    sql: string,
    exists: boolean,
    atOnce: number,
  ): AsyncIterable<Row> {
    if (!exists) return;
    await this.#statements.query(`declare ${name} no scroll cursor for ${sql}`);
    try {
      for (;;) {
        const rows = await this.#statements.query<Row>(`fetch ${atOnce} from ${name}`);
        yield* rows;
        if (rows.length < atOnce) return;
      }
    } finally {
      await this.#statements.query(`close ${name}`);
    }
  }

  #takeRow(row: CallRow): void {
    const journal = this.#journals.get(row.journal);
    // Users do not see calls of an unknown journal. Lines that were dropped cannot be compared.
    if (!journal || row.n <= journal.pruned_n) return;
    const key = `${row.journal}/${row.n}`;
    const call = this.#open.get(key) ?? {};
    if (call.row) return this.#flawOf(key, 'The table has it twice.');
    this.#keep(key, { ...call, row });
  }

  #takeCall(journal: number, record: Parameters<typeof storedCall>[0]): void {
    const stored = storedCall(record);
    const n = numberOf(stored.id);
    const known = this.#journals.get(journal);
    if (!known || n <= known.pruned_n) return;
    const key = `${journal}/${n}`;
    const open = this.#open.get(key);
    if (!open && Date.parse(record.time) < this.#since) return;
    const hasIntent = record.kind === 'call' && record.intent !== undefined;
    this.#keep(key, {
      ...open,
      ...(hasIntent ? {} : { begin: stored }),
      ...(record.kind === 'call' ? { end: stored } : {}),
    });
  }

  /** Compares a call as soon as both sides are known, and forgets it. */
  #keep(key: string, call: OpenCall): void {
    const { row, begin, end } = call;
    // A call that the table calls unended must have no end. One that follows is found to have no row.
    const isKnown = row && begin && (row.ms === null || end);
    if (isKnown) {
      this.#open.delete(key);
      this.#judge(key, call);
    } else this.#open.set(key, call);
    if (this.#open.size <= MAX_OPEN || this.isFull) return;
    this.isFull = true;
    this.#flaw('tables', 'tables', 'The tables differ from the journals in too many calls.');
  }

  #judge(key: string, { row, begin, end }: OpenCall): void {
    if (row && !begin) return this.#flawOf(key, 'The table has it, and no journal has.');
    if (!row) {
      const text = begin ? 'The table does not have it.' : 'The table does not have its end.';
      return this.#flawOf(key, text);
    }
    if (row.ms === null && end) return this.#flawOf(key, 'The table does not have its end.');
    if (row.ms !== null && !end)
      return this.#flawOf(key, 'The table has an end that no journal has.');
    const wanted = { ...beginOf(begin!), ...endOf(row.ms === null ? begin! : (end ?? begin!)) };
    const columns = Object.entries(wanted).filter(([name, value]) => plain(row[name]) !== value);
    if (columns.length === 0) return;
    const names = columns.map(([name]) => name).join(', ');
    this.#flawOf(key, `The table has something else than the journal: ${names}.`);
  }

  async #compareEvents(journal: number, events: readonly EventRecord[]): Promise<void> {
    if (events.length === 0 || !this.#journals.has(journal)) return;
    const rows = await this.#statements.query<Readonly<Record<string, unknown>>>(
      `select * from ${this.#database.name('events')} where id = any($1)`,
      [events.map(({ id }) => id)],
    );
    this.#events += rows.length;
    const found = new Map(rows.map((row) => [row['id'], row]));
    const { journal: name } = this.#journals.get(journal)!;
    for (const { id, time, kind, severity, journal: about, reason, count } of events) {
      const row = found.get(id);
      const wanted = { time: Date.parse(time), kind, severity, journal: storableText(about) };
      const rest = { reason: storableText(reason), count };
      if (!row && Date.parse(time) < this.#since) continue;
      if (!row) this.#flaw(name, id, 'The table of events does not have it.');
      else if (
        Object.entries({ ...wanted, ...rest }).some(([key, value]) => plain(row[key]) !== value)
      )
        this.#flaw(name, id, 'The table of events has something else than the journal.');
    }
  }

  #flawOf(key: string, message: string): void {
    const [journal, n] = key.split('/');
    const { journal: name, writer } = this.#journals.get(Number(journal))!;
    this.#flaw(name, `${writer}-${n}`, message);
  }

  #flaw(journal: string, id: string, message: string): void {
    this.#tell({ journal, id, flaw: 'differs', message });
  }
}

/** The columns that a call gets when it begins. */
function beginOf(call: StoredCall): Record<string, unknown> {
  return {
    day: utcDay(call.time),
    time: Date.parse(call.time),
    session: storableText(call.session),
    sizein: call.sizeIn,
    announced: call.announced,
    fingerprint: FINGERPRINT.exec(call.fingerprint ?? '')?.[1] ?? null,
    arguments: call.arguments === null ? null : storableText(call.arguments),
  };
}

/** The columns that its end changes. */
function endOf(call: StoredCall): Record<string, unknown> {
  const facts = CALL_FACTS.map((name) => {
    const value = call[name];
    return [name.toLowerCase(), value === null ? null : storableText(value)];
  });
  return {
    ...(Object.fromEntries(facts) as object),
    bucket: bucketOf(call),
    ms: call.ms,
    waitedms: call.waitedMs,
    retries: call.retries,
    sizeout: call.sizeOut,
  };
}

function plain(value: unknown): unknown {
  return value instanceof Date ? value.getTime() : value;
}

/** Takes items one by one, as far as they are wanted. */
class Stepper<T> {
  readonly #items: AsyncIterator<T>;
  #next: Promise<IteratorResult<T>> | undefined;

  constructor(items: AsyncIterable<T>) {
    this.#items = items[Symbol.asyncIterator]();
  }

  async upTo(isWanted: (item: T) => boolean, take: (item: T) => void): Promise<void> {
    for (;;) {
      const { done, value } = await (this.#next ??= this.#items.next());
      if (done || !isWanted(value)) return;
      this.#next = undefined;
      take(value);
    }
  }
}
