/** Verifies every journal of a folder or a database, or an exported copy. */

import { type Anchor, parseAnchor } from '../journal/anchor.js';
import type { JournalSource, SourceJournal } from '../journal/journal-source.js';
import { lineHead, partHeader } from '../journal/line-head.js';
import { readLines } from '../journal/read-lines.js';
import { type Flaw, JournalWalk, type Note } from '../journal/verify-journal.js';
import { auditTrouble } from '../record/trouble.js';

/** The result over all journals together. */
export interface Verification {
  /** No flaw was found. Notes are not flaws. */
  readonly ok: boolean;
  readonly journals: number;
  /** All of them: calls, intents, events, and the first one of each part of a journal. */
  readonly records: number;
  /** The calls among them. */
  readonly calls: number;
  /** Records that could not be written, as the journals themselves report. */
  readonly lost: number;
  /** At most the first hundred. */
  readonly flaws: readonly Flaw[];
  readonly notes: readonly Note[];
}

export type Progress = (records: number) => void;

const MAX_FLAWS = 100;
/** The beginning of the line that an export puts after each journal. */
const ANCHOR_LINE = '{"anchor":';

export async function verifySource(
  source: JournalSource,
  onProgress?: Progress,
): Promise<Verification> {
  const sum = new Sum();
  for (const journal of await source.journals()) {
    sum.add(await verifyJournal(journal));
    onProgress?.(sum.records);
  }
  return sum.end();
}

/** Verifies an export of whole journals with their anchors. */
export function verifyCopy(file: string, onProgress?: Progress): Verification {
  const sum = new Sum();
  // The anchor comes after its journal, but the check needs it before.
  const anchors = new Map<string, Anchor>();
  for (const { text } of readLines(file)) {
    if (text.startsWith(ANCHOR_LINE)) {
      const anchor = parseAnchor(JSON.stringify((JSON.parse(text) as { anchor: unknown }).anchor));
      anchors.set(anchor.journal, anchor);
    }
  }
  let walk: JournalWalk | undefined;
  let name: string | undefined;
  const begun = new Set<string>();
  const begin = (journal: string): void => {
    if (walk) sum.add(walk.end());
    name = journal;
    walk = new JournalWalk(journal, anchors.get(journal), true);
    if (begun.has(journal)) walk.again();
    begun.add(journal);
  };
  for (const { text, end, isWhole } of readLines(file)) {
    if (text.startsWith(ANCHOR_LINE)) continue;
    const header = partHeader(text);
    if (header && header.journal !== name) begin(header.journal);
    if (!walk) begin(`(journal of ${lineHead(text)?.writer ?? 'unknown'})`);
    if (isWhole) walk!.line(text);
    else walk!.torn(end);
    onProgress?.(sum.records);
  }
  if (walk) sum.add(walk.end());
  // The other anchors belong to journals without any line.
  for (const [journal, anchor] of anchors)
    if (!begun.has(journal)) sum.add(new JournalWalk(journal, anchor, true).end());
  return sum.end();
}

/** The line that an export puts after a journal. */
export function anchorLine(anchor: Anchor): string {
  return `{"anchor":${JSON.stringify(anchor)}}`;
}

async function verifyJournal(journal: SourceJournal): Promise<ReturnType<JournalWalk['end']>> {
  const { name, isOpen } = journal;
  let walk = new JournalWalk(name, undefined, false);
  try {
    // Read before the lines: the anchor may lag behind them, but must not be ahead of them.
    const anchor = await journal.anchor();
    walk = new JournalWalk(name, anchor, !isOpen);
    let [current, start] = [0, 0];
    for await (const { part, lines } of journal.lines()) {
      if (part !== current) [current, start] = [part, 0];
      walk.file(part);
      for (const { text, end, isWhole } of lines) {
        if (isWhole) walk.line(text);
        else walk.torn(end - start);
        start = end;
      }
    }
  } catch (error) {
    walk.unreadable(auditTrouble(error).message);
  }
  return walk.end();
}

/** Adds up the results of several journals. */
class Sum {
  records = 0;
  #calls = 0;
  #journals = 0;
  #count = 0;
  readonly #flaws: Flaw[] = [];
  readonly #notes: Note[] = [];

  add({ records, calls, flaws, notes }: ReturnType<JournalWalk['end']>): void {
    this.#journals++;
    this.records += records;
    this.#calls += calls;
    this.#count += flaws.length;
    this.#flaws.push(...flaws.slice(0, MAX_FLAWS - this.#flaws.length));
    this.#notes.push(...notes);
  }

  end(): Verification {
    const gaps = this.#notes.filter(({ note }) => note === 'gap');
    return {
      ok: this.#count === 0,
      journals: this.#journals,
      records: this.records,
      calls: this.#calls,
      lost: gaps.reduce((sum, { count }) => sum + count, 0),
      flaws: this.#flaws,
      notes: this.#notes,
    };
  }
}
