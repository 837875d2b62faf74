/**
 * Repairs journals whose processes died: cuts off a torn last line, and checks whether the end is
 * missing.
 */

import { createHash } from 'node:crypto';
import { rmSync, truncateSync } from 'node:fs';

import { hasRestartedSince } from '@callsign/config';

import type { EventEntry } from '../record/audit-entry.js';
import { UnreadableJournal } from '../record/trouble.js';
import { anchorText, closeAnchor, GENESIS, isAlive, readAnchor, replaceAnchor } from './anchor.js';
import type { Anchor, Place } from './anchor.js';
import { journalsIn, type JournalFiles, sizeOf } from './journal-folder.js';
import { lineHead } from './line-head.js';
import { readLines } from './read-lines.js';

export type FoundEvent = Omit<EventEntry, 'n' | 'time'>;

/**
 * `report` records the events and returns whether it could. Only then is a journal marked as
 * repaired. Journals of running processes are not touched. Throws in the end if a journal cannot be
 * read.
 */
export function recoverJournals(
  folder: string,
  own: string,
  report: (events: readonly FoundEvent[]) => boolean,
): void {
  let failure: UnreadableJournal | undefined;
  const tried = <T>(name: string, run: () => T): T | undefined => {
    try {
      return run();
    } catch (error) {
      failure ??= new UnreadableJournal(name, error);
      return undefined;
    }
  };
  const open = journalsIn(folder).filter(({ isOpen, name }) => isOpen && name !== own);
  const dead = new Map<string, Anchor>();
  for (const journal of open) {
    const anchor = tried(journal.name, () => readAnchor(journal.anchor));
    if (anchor && !isAlive(journal, anchor)) dead.set(journal.name, anchor);
  }
  // Listed again: a process may have begun parts after the first list, and died since.
  for (const journal of dead.size > 0 ? journalsIn(folder) : []) {
    const anchor = dead.get(journal.name);
    if (!anchor || !journal.isOpen) continue;
    const found = tried(journal.name, () => findEnd(journal, anchor));
    // Another process that starts may have repaired it in the meantime.
    const now = found && tried(journal.name, () => readAnchor(journal.anchor));
    if (!found || !now || anchorText(now) !== anchorText(anchor)) continue;
    if (!report(found.events)) return;
    if (found.torn) truncateSync(found.torn.path, found.torn.size);
    settle(folder, journal, found);
  }
  if (failure) throw failure;
}

/** What was found at the end of a journal. */
interface Found {
  readonly anchor: Anchor;
  readonly events: readonly FoundEvent[];
  readonly end: Place;
  readonly torn?: { readonly path: string; readonly size: number };
}

function settle(
  folder: string,
  { name, anchor: path, parts }: JournalFiles,
  { anchor, end, events }: Found,
): void {
  if (parts.length === 0 && anchor.end.n < 0) {
    rmSync(path!, { force: true });
    return;
  }
  // After an alarm the anchor keeps its old end, as evidence.
  const isAlarmed = events.some(({ kind }) => kind === 'alarm');
  const { reason: _reason, ...rest } = anchor;
  replaceAnchor(path!, {
    ...rest,
    ...(isAlarmed ? { isAlarmed } : { end }),
    unwritten: 0,
  });
  closeAnchor(folder, name);
}

/** Reads what was written after the anchor. The process must have died. */
function findEnd(journal: JournalFiles, anchor: Anchor): Found {
  const events: FoundEvent[] = [];
  const { name, parts } = journal;
  const last = parts.at(-1);
  const isBehind = last !== undefined && last.part < anchor.end.part;
  const scanned = last ? scanPart(last, anchor.end) : { end: GENESIS };
  const { end, torn } = scanned;
  if (torn) {
    events.push({ kind: 'torn', journal: name, reason: TORN, count: torn.bytes });
  }
  const isShort = isBehind || (end.part === anchor.end.part && end.size < anchor.end.size);
  const missing = anchor.end.n - end.n;
  if ((isShort || !last) && missing > 0) {
    events.push(endEvent(name, anchor, end, missing));
  } else if (isShort && end.hash !== anchor.end.hash) {
    events.push({ kind: 'alarm', journal: name, reason: CHANGED, count: 0 });
  }
  // If the journal continued after its anchor, it has recorded the gap itself.
  if (anchor.unwritten > 0 && end.n <= anchor.end.n) {
    const reason = anchor.reason ?? 'the gateway ended before they were written';
    events.push({ kind: 'gap', journal: name, reason, count: anchor.unwritten });
  }
  return { anchor, events, end, ...(torn ? { torn } : {}) };
}

const CHANGED = 'the last records are not the ones that the anchor knows';
const TORN = 'the process died while it wrote a record; the incomplete record was cut off';

function endEvent(journal: string, anchor: Anchor, end: Place, count: number): FoundEvent {
  if (isLostEnd(anchor, end.n)) {
    const reason = 'the machine went down before the last records were on disk';
    return { kind: 'lost-end', journal, reason, count };
  }
  const reason = `the records from ${end.n + 1} to ${anchor.end.n} are gone`;
  return { kind: 'alarm', journal, reason, count };
}

/**
 * Whether a power failure explains that nothing is left after the record `last`: the rest was not
 * on disk, and the machine was restarted since.
 */
export function isLostEnd({ synced, time }: Anchor, last: number): boolean {
  return last >= synced && hasRestartedSince(time);
}

function scanPart(
  { part, path }: JournalFiles['parts'][number],
  known: Place,
): { end: Place; torn?: { path: string; size: number; bytes: number } } {
  // The hash starts again at every block, so reading may start at the anchor.
  const canSkip = part === known.part && (sizeOf(path) ?? 0) >= known.size && known.size > 0;
  let end: Place = canSkip ? known : { part, size: 0, n: known.n, hash: known.hash };
  let block = createHash('sha256');
  let isFirst = true;
  for (const { text, end: size, isWhole } of readLines(path, end.size)) {
    if (!isWhole) return { end: finish(), torn: { path, size: end.size, bytes: size - end.size } };
    const head = lineHead(text);
    if (head?.prev !== undefined) block = createHash('sha256');
    block.update(`${text}\n`);
    isFirst = false;
    end = { part, size, n: head?.n ?? end.n, hash: '' };
  }
  return { end: finish() };

  function finish(): Place {
    return isFirst ? end : { ...end, hash: block.copy().digest('hex') };
  }
}
