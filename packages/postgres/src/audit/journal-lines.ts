/**
 * The lines of journals in the database. They are stored unchanged, so that the hash chain can be
 * verified from the database as from files.
 */

import type { Anchor, JournalSource, Line, LinePiece, Position } from '@callsign/audit';
import type { SourceJournal } from '@callsign/audit';
import { lineHead } from '@callsign/audit/store';

import type { Database, Statements } from '../database/database.js';

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

interface JournalRow {
  readonly id: number;
  readonly journal: string;
  readonly writer: string;
  readonly is_open: boolean;
  readonly anchor: string | null;
  readonly pruned: Anchor['pruned'] | null;
}

interface LinesRow {
  readonly part: number;
  readonly start: number;
  readonly lines: string;
}

/** Reads the journals of all instances, as `JournalSource` reads the files of one. */
export function postgresSource(database: Database): JournalSource {
  return {
    async journals() {
      const rows = await database.query<JournalRow>(
        `select id, journal, writer, is_open, anchor, pruned from ${database.name('journals')}
         order by journal collate "C"`,
      );
      return rows.map((row) => journalOf(database, row));
    },
    async ends() {
      const rows = await database.query<Position & { journal: string }>(
        `select journal, part, "offset" from ${database.name('journals')}`,
      );
      return new Map(rows.map(({ journal, part, offset }) => [journal, { part, offset }]));
    },
  };
}

function journalOf(database: Database, row: JournalRow): SourceJournal {
  const table = database.name('journal_lines');
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
      let at: Position = from;
      for (;;) {
        const [next] = await database.query<LinesRow>(
          `select part, start, lines from ${table}
           where journal = $1 and (part, start) >= ($2, $3) order by part, start limit 1`,
          [row.id, at.part, at.offset],
        );
        if (!next) return;
        const lines = linesIn(next);
        at = { part: next.part, offset: lines.at(-1)!.end };
        yield { part: next.part, lines };
      }
    },
  };
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
