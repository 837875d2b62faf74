/** Verifies every journal of a folder or a database, or an exported copy. */

import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import { type Anchor, isAlive, parseAnchor } from '../journal/anchor.js';
import type { JournalSource, SourceJournal } from '../journal/journal-source.js';
import { lineHead, partHeader } from '../journal/line-head.js';
import type { Position } from '../journal/position.js';
import { readLines } from '../journal/read-lines.js';
import { type Flaw, type JournalEnd, JournalWalk, type Note } from '../journal/verify-journal.js';
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
/** How often a journal with flaws is looked at, and how long in between. */
const LOOKS = 5;
const AGAIN_MS = 50;
/** The beginning of the line that an export puts after each journal. */
const ANCHOR_LINE = '{"anchor":';

/**
 * `local`: the journals of this machine, if the source is a database. What is only there is verified
 * too.
 */
export async function verifySource(
  source: JournalSource,
  onProgress?: Progress,
  local?: JournalSource,
): Promise<Verification> {
  const sum = new Sum();
  const flawed = new Set<string>();
  const tell = (records: number): void => onProgress?.(sum.records + records);
  for (const journal of await source.journals()) {
    const end = await verifyTwice(source, journal, tell);
    if (end) sum.add(end);
    if (end && end.flaws.length > 0) flawed.add(journal.name);
    tell(0);
  }
  await source.compareTables?.((flaw) => {
    // Tables cannot be judged by a journal that is damaged itself.
    if (!flawed.has(flaw.journal)) sum.flaw(flaw);
  });
  if (local) await verifyUnshared(source, local, sum, tell);
  return sum.end();
}

/** Verifies the journals of which the database does not have everything. */
async function verifyUnshared(
  source: JournalSource,
  local: JournalSource,
  sum: Sum,
  tell: Progress,
): Promise<void> {
  const [shared, ends] = [await source.ends(), await local.ends()];
  for (const journal of await local.journals()) {
    const { name } = journal;
    const [after, end] = [shared.get(name) ?? START, ends.get(name) ?? START];
    if (!isBefore(after, end)) continue;
    const found = await verifyTwice(local, journal, tell, after);
    if (!found) continue;
    const message = 'These calls are only in the journal of this machine, not in the database.';
    const note: Note = { journal: name, note: 'unshared', count: found.calls, message };
    const notes = found.calls > 0 ? [...found.notes, note] : found.notes;
    sum.add({ ...found, notes }, !shared.has(name));
  }
}

const START: Position = { part: 0, offset: 0 };

function isBefore(a: Position, b: Position): boolean {
  return a.part < b.part || (a.part === b.part && a.offset < b.offset);
}

/**
 * Gateways write, close and delete journals while they are read. So flaws count only if the next
 * look finds the same. `undefined`: the journal was deleted for its age in the meantime.
 */
async function verifyTwice(
  source: JournalSource,
  journal: SourceJournal,
  tell: Progress,
  after?: Position,
): Promise<JournalEnd | undefined> {
  let found = await verifyJournal(journal, tell, after);
  for (let look = 2; found.flaws.length > 0 && look <= LOOKS; look++) {
    await sleep(AGAIN_MS);
    const now = (await source.journals()).find(({ name }) => name === journal.name);
    if (!now) return undefined;
    const again = await verifyJournal(now, tell, after);
    if (isDeepStrictEqual(again.flaws, found.flaws)) return again;
    found = again;
  }
  return found;
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

/** `after`: only records after this position are counted. All are verified. */
async function verifyJournal(
  journal: SourceJournal,
  tell: Progress,
  after: Position = START,
): Promise<JournalEnd> {
  const { name, isOpen } = journal;
  let walk = new JournalWalk(name, undefined, false);
  try {
    // Read before the lines: the anchor may lag behind them, but must not be ahead of them.
    const anchor = await journal.anchor();
    walk = new JournalWalk(name, anchor, !isOpen, anchor && isAlive(journal, anchor));
    let [current, start] = [0, 0];
    for await (const { part, lines } of journal.lines()) {
      // What the anchor says is deleted may still be there, if the process that deletes was killed.
      if (part <= (anchor?.pruned?.part ?? 0)) continue;
      if (part !== current) [current, start] = [part, 0];
      walk.file(part);
      for (const { text, end, isWhole } of lines) {
        if (isWhole) walk.line(text, isBefore(after, { part, offset: end }));
        else walk.torn(end - start);
        start = end;
      }
      tell(walk.records);
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

  /** `isNew`: not a journal that was already counted. */
  add({ records, calls, flaws, notes }: JournalEnd, isNew = true): void {
    if (isNew) this.#journals++;
    this.records += records;
    this.#calls += calls;
    this.#count += flaws.length;
    this.#flaws.push(...flaws.slice(0, MAX_FLAWS - this.#flaws.length));
    this.#notes.push(...notes);
  }

  flaw(flaw: Flaw): void {
    this.add({ records: 0, calls: 0, flaws: [flaw], notes: [] }, false);
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
