/**
 * The lines of journals in the database. They are stored unchanged, so that the hash chain can be
 * verified from the database as from files.
 */

import type { Anchor, JournalSource, Line, LinePiece, Position } from '@callsign/audit';
import type { SourceJournal } from '@callsign/audit';
import { lineHead } from '@callsign/audit/store';

import type { Database, Statements } from '../database/database.js';
import { compareTables } from './compare-tables.js';
import { partitionDays } from './utc-day.js';

/** The journal, by its number in the database, and the day of its current part. */
export interface LinePlace {
  readonly journal: number;
  readonly day: string;
}

/** The positions before and after the lines. `from` unset: the beginning of the journal. */
interface Span {
  readonly from: Position | undefined;
  readonly to: Position;
}

/** Stores lines as one row. They must all belong to one part. Lines that are already there stay. */
export async function keepLines(
  database: Database,
  statements: Statements,
  { journal, day }: LinePlace,
  lines: readonly string[],
  { from, to }: Span,
): Promise<void> {
  if (lines.length === 0) return;
  const start = from?.part === to.part ? from.offset : 0;
  const numbers = lines.map((line) => lineHead(line)?.n).filter((n) => n !== undefined);
  await statements.query(
    `insert into ${database.name('journal_lines')}
       (day, journal, part, start, "end", first_n, last_n, lines)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
    [
      day,
      journal,
      to.part,
      start,
      to.offset,
      numbers[0] ?? -1,
      numbers.at(-1) ?? -1,
      `${lines.join('\n')}\n`,
    ],
  );
}

interface JournalRow extends Position {
  readonly id: number;
  readonly journal: string;
  readonly writer: string;
  readonly is_open: boolean;
  readonly anchor: string | null;
  readonly pruned: Anchor['pruned'] | null;
  /** The day of its newest part. */
  readonly day: string;
}

interface LinesRow {
  readonly start: number;
  readonly lines: string;
}

/** Rows that are read at once. An instance writes one per second, with up to 2,000 lines. */
const ROWS_AT_ONCE = 16;

/** Reads the journals of all instances, as `JournalSource` reads the files of one. */
export function postgresSource(database: Database): JournalSource {
  return {
    async journals() {
      const rows = await database.query<JournalRow>(
        `select id, journal, writer, is_open, anchor, pruned, part, "offset", day::text
         from ${database.name('journals')} order by journal collate "C"`,
      );
      return rows.map((row) => journalOf(database, row));
    },
    compareTables: (tell) => compareTables(database, tell),
    async ends() {
      const rows = await database.query<Position & { journal: string }>(
        `select journal, part, "offset" from ${database.name('journals')}`,
      );
      return new Map(rows.map(({ journal, part, offset }) => [journal, { part, offset }]));
    },
  };
}

function journalOf(database: Database, row: JournalRow): SourceJournal {
  return {
    name: row.journal,
    writer: row.writer,
    isOpen: row.is_open,
    async anchor() {
      if (!row.anchor) return undefined;
      // What the machine has deleted does not matter here, only what this database has dropped.
      const { pruned: _, ...anchor } = JSON.parse(row.anchor) as Anchor;
      return row.pruned ? { ...anchor, pruned: row.pruned } : anchor;
    },
    async *lines(from = { part: 0, offset: 0 }): AsyncIterable<LinePiece> {
      if (from.part > row.part || (from.part === row.part && from.offset >= row.offset)) return;
      for (const { part, day } of await partsFrom(database, row, from.part)) {
        const offset = part === from.part ? from.offset : 0;
        const place = { journal: row.id, part, day };
        for await (const lines of linesOf(database, place, offset)) yield { part, lines };
      }
    },
    near: (n) => positionOf(database, row, n),
  };
}

interface Part {
  readonly part: number;
  readonly day: string;
}

/**
 * The parts of a journal in order, each with its day, which names its partition. A clock that was
 * set back gives a later part an earlier day, so a part can be on any day whose first and last part
 * are around it.
 */
async function partsFrom(database: Database, row: JournalRow, first: number): Promise<Part[]> {
  if (first === row.part) return [row];
  const days = await database.query<{ day: string; low: number; high: number }>(
    `select days.day::text, low, high from unnest($1::date[]) as days (day) cross join lateral
       (select min(part) as low, max(part) as high from ${database.name('journal_lines')} as lines
        where lines.day = days.day and lines.journal = $2 and lines.part >= $3) as parts
     where low is not null`,
    [await partitionDays(database, database), row.id, first],
  );
  return days
    .flatMap(({ day, low, high }) =>
      Array.from({ length: high - low + 1 }, (_, i) => ({ part: low + i, day })),
    )
    .toSorted((a, b) => a.part - b.part || (a.day < b.day ? -1 : 1));
}

/** Lines of one part from an offset on, which may be inside a row. */
async function* linesOf(
  database: Database,
  { journal, part, day }: Part & { readonly journal: number },
  offset: number,
): AsyncIterable<Line[]> {
  const table = database.name('journal_lines');
  const place = 'day = $1 and journal = $2 and part = $3';
  for (let at = offset; ;) {
    const rows = await database.query<LinesRow>(
      `select start, lines from ${table} where ${place}
         and start >= coalesce((select max(start) from ${table} where ${place} and start <= $4), 0)
       order by start limit ${ROWS_AT_ONCE}`,
      [day, journal, part, at],
    );
    for (const row of rows) {
      const lines = linesIn(row).filter(({ end }) => end > at);
      // Beyond the row in any case, so that no edited row is read again and again.
      at = Math.max(lines.at(-1)?.end ?? at, row.start + 1);
      if (lines.length > 0) yield lines;
    }
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

/** A position at or before the record with this number. `undefined`: the beginning of the journal. */
async function positionOf(
  database: Database,
  row: JournalRow,
  n: number,
): Promise<Position | undefined> {
  const parts = await partsFrom(database, row, 0);
  const table = database.name('journal_lines');
  const rowBefore = async ({ part, day }: Part): Promise<Position | undefined> => {
    const [found] = await database.query<Position>(
      `select part, start as "offset" from ${table}
       where day = $1 and journal = $2 and part = $3 and first_n between 0 and $4
       order by start desc limit 1`,
      [day, row.id, part, n],
    );
    return found;
  };
  // Numbers grow with parts, so the last part that begins at or before the number has it.
  let [low, high] = [0, parts.length];
  let found: Position | undefined;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const before = await rowBefore(parts[middle]!);
    if (before) [found, low] = [before, middle + 1];
    else high = middle;
  }
  return found;
}

function linesIn({ start, lines }: LinesRow): Line[] {
  let end = start;
  return lines
    .slice(0, -1)
    .split('\n')
    .map((text) => {
      end += Buffer.byteLength(text) + 1;
      return { text, end, isWhole: true };
    });
}
