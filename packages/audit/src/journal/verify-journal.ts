/**
 * Checks the lines of one journal and reports what is wrong: edits, gaps, moved records, a missing
 * end.
 */

import { createHash } from 'node:crypto';

import { visibleLine } from '@callsign/core';

import { EVENT_KINDS, type EventRecord, type JournalRecord } from '../record/audit-record.js';
import { type Anchor, GENESIS, type Place } from './anchor.js';
import { isCall, type LineHead, lineHead, partHeader, recordOf } from './line-head.js';
import { isLostEnd } from './recover.js';

export type FlawName =
  | 'edited'
  | 'missing'
  | 'moved'
  | 'truncated'
  | 'unanchored'
  | 'alarm'
  | 'differs'
  | 'unreadable';

/** Something that looks like tampering. */
export interface Flaw {
  readonly journal: string;
  /** The id of the record where it is. The name of the journal, if no record could be read. */
  readonly id: string;
  readonly flaw: FlawName;
  /** For people. */
  readonly message: string;
}

/** Something that is missing for a known reason. Not a sign of tampering. */
export interface Note {
  readonly journal: string;
  readonly note: 'torn' | 'lost-end' | 'gap' | 'pruned' | 'unshared';
  readonly count: number;
  readonly message: string;
}

export interface JournalEnd {
  /** All of them: calls, intents, events, and the first one of each part. */
  readonly records: number;
  /** The calls among them. */
  readonly calls: number;
  readonly flaws: readonly Flaw[];
  readonly notes: readonly Note[];
}

const EVENT = new RegExp(`"kind":"(?:${EVENT_KINDS.join('|')})"`);

const MAX_NAME = 100;

/** Give it all lines in order, then call `end`. */
export class JournalWalk {
  readonly #name: string;
  readonly #anchor: Anchor | undefined;
  readonly #isClosed: boolean;
  readonly #isRunning: boolean;
  readonly #flaws: Flaw[] = [];
  readonly #notes: Note[] = [];
  #records = 0;
  #calls = 0;
  #writer = '';
  /** The number and the place of the last record that was read. */
  #n: number | undefined;
  #part = 0;
  #size = 0;
  #block = createHash('sha256');
  #blockStart = 0;
  /** The block is already known to be wrong, so its hash is not reported again. */
  #isSpoilt = false;
  #hasMetAnchor = false;
  #tornBytes = 0;
  /** The part that the name of the current file says. Missing if the lines come from no file. */
  #filePart: number | undefined;

  /**
   * `isClosed`: no record may follow the end that the anchor knows. `isRunning`: its process may
   * still write it.
   */
  constructor(name: string, anchor: Anchor | undefined, isClosed: boolean, isRunning = false) {
    this.#name = name;
    this.#anchor = anchor;
    this.#isClosed = isClosed;
    this.#isRunning = isRunning;
    if (anchor && anchor.journal !== name)
      this.#flaw(
        'moved',
        `Its anchor belongs to the journal ${visibleLine(anchor.journal, MAX_NAME)}.`,
      );
  }

  /** The next lines come from the file with the name of this part. */
  file(part: number): void {
    this.#filePart = part;
  }

  /** The journal was already there. */
  again(): void {
    this.#flaw('moved', 'The journal is there twice.');
  }

  /** How many records were counted so far. */
  get records(): number {
    return this.#records;
  }

  /** Checks a line, given without its line feed. */
  line(text: string, isCounted = true): void {
    const head = lineHead(text);
    const header = partHeader(text);
    if (header) this.#compareNames(header);
    if (header) this.#beginPart(header.part);
    if (head) this.#place(head);
    else this.#spoil('edited', `The line ${this.#where()} is not a record.`);
    this.#block.update(`${text}\n`);
    this.#size += Buffer.byteLength(text) + 1;
    if (isCounted) this.#records++;
    if (isCounted && isCall(text)) this.#calls++;
    this.#meetAnchor();
    if (head && EVENT.test(text)) this.#heed(recordOf(text) as EventRecord | undefined);
  }

  /** The file ends in the middle of a line. */
  torn(bytes: number): void {
    this.#tornBytes = bytes;
  }

  unreadable(reason: string): void {
    this.#flaw('unreadable', `Nothing can be read ${this.#where()}: ${reason}.`);
  }

  end(): JournalEnd {
    this.#checkEnd();
    if (this.#tornBytes > 0) {
      const message = this.#isRunning
        ? 'The last line is not whole yet. The gateway is running, and completes it or cuts it off.'
        : 'The last line was not written whole. The process died while it wrote it.';
      this.#notes.push({ journal: this.#name, note: 'torn', count: this.#tornBytes, message });
    }
    const [records, calls] = [this.#records, this.#calls];
    return { records, calls, flaws: this.#flaws, notes: this.#notes };
  }

  /** A copy or a renamed file says inside which one it really is. */
  #compareNames({ journal, part }: JournalRecord): void {
    if (journal !== this.#name)
      this.#flaw(
        'moved',
        `Part ${part} belongs to the journal ${visibleLine(String(journal), MAX_NAME)}.`,
      );
    if (part !== (this.#filePart ?? part))
      this.#flaw('moved', `The file of part ${this.#filePart} contains part ${part}.`);
  }

  #beginPart(part: number): void {
    const pruned = this.#anchor?.pruned;
    const expected = this.#part === 0 ? (pruned?.part ?? 0) + 1 : this.#part + 1;
    if (part > expected)
      this.#spoil('missing', `${fileCount(part - expected)} before part ${part}.`);
    if (part < expected) this.#spoil('moved', `Part ${part} is not in its place.`);
    if (this.#tornBytes > 0) {
      this.#spoil(
        'edited',
        `Part ${this.#part} ends in the middle of a line, and is not the last.`,
      );
      this.#tornBytes = 0;
    }
    this.#part = part;
    this.#size = 0;
  }

  #place({ prev, writer, n }: LineHead): void {
    const pruned = this.#anchor?.pruned;
    const isFirst = this.#n === undefined;
    const before = this.#n ?? pruned?.n ?? -1;
    if (isFirst) this.#writer = writer;
    else if (writer !== this.#writer)
      this.#spoil('moved', `Record ${n} belongs to another journal.`);
    // Set first: the flaw is reported at the record after the gap.
    this.#n = n;
    if (n > before + 1)
      this.#spoil('missing', `Records missing before record ${n}: ${n - before - 1}.`);
    else if (n <= before) this.#spoil('moved', `Record ${n} is not in its place.`);
    if (prev === undefined) {
      if (isFirst) this.#spoil('edited', `Record ${n} has no hash of the block before it.`);
      return;
    }
    this.#endBlock(prev, isFirst ? (pruned?.hash ?? GENESIS.hash) : undefined, n);
  }

  /** Compares the hash of the block that has ended with the hash in the line after it. */
  #endBlock(prev: string, known: string | undefined, n: number): void {
    const hash = known ?? this.#block.digest('hex');
    if (prev !== hash && !this.#isSpoilt) {
      const message =
        known === undefined
          ? `One of the records ${this.#blockStart} to ${n - 1} was changed.`
          : `Record ${n} does not follow the records before it.`;
      this.#flaw('edited', message);
    }
    this.#block = createHash('sha256');
    this.#blockStart = n;
    this.#isSpoilt = false;
  }

  #meetAnchor(): void {
    const end = this.#anchor?.end;
    // An anchor without any record proves nothing.
    if (!end || end.n < 0 || this.#hasMetAnchor) return;
    if (this.#part < end.part || (this.#part === end.part && this.#size < end.size)) return;
    this.#hasMetAnchor = true;
    const isThere = this.#part === end.part && this.#size === end.size && this.#n === end.n;
    if (isThere && this.#block.copy().digest('hex') === end.hash) return;
    if (this.#isSpoilt) return;
    this.#spoil('edited', notKnown(end));
  }

  #checkEnd(): void {
    const anchor = this.#anchor;
    if (!anchor) {
      this.#flaw('unanchored', 'The anchor is gone, so it is not known where the journal ended.');
      return;
    }
    const { end } = anchor;
    const n = this.#n ?? anchor.pruned?.n ?? -1;
    if (this.#hasMetAnchor || end.n < 0) {
      if (this.#isClosed && n > end.n)
        this.#flaw('edited', `Records after ${end.n} were added after the journal was closed.`);
      return;
    }
    const count = end.n - n;
    if (count <= 0) {
      this.#checkLastBlock(end);
      return;
    }
    const which = n < 0 ? 'All records' : `Records after ${n}`;
    const message = `${which} are missing, up to ${end.n}.`;
    if (!this.#isClosed && isLostEnd(anchor, n)) {
      const why = `${message} The machine went down before they were on disk.`;
      this.#notes.push({ journal: this.#name, note: 'lost-end', count, message: why });
    } else this.#flaw('truncated', message);
  }

  /**
   * The last record is there, but the journal is shorter than the anchor knows. It may only be that
   * a part without any record is missing.
   */
  #checkLastBlock(end: Place): void {
    const isSame = this.#n === undefined || this.#block.copy().digest('hex') === end.hash;
    // What was taken out or edited before has made the journal shorter, and is known already.
    if (isSame || this.#flaws.some(({ flaw }) => flaw !== 'alarm')) return;
    this.#flaw('edited', notKnown(end));
  }

  #heed(record: EventRecord | undefined): void {
    if (!record) return;
    const { kind, count, reason, journal } = record;
    if (kind === 'alarm') this.#flaw('alarm', `An alarm about ${journal}: ${reason}.`);
    else this.#notes.push({ journal, note: kind, count, message: `${reason}.` });
  }

  #where(): string {
    return this.#n === undefined ? 'at the beginning' : `after record ${this.#n}`;
  }

  #spoil(flaw: FlawName, message: string): void {
    this.#isSpoilt = true;
    this.#flaw(flaw, message);
  }

  #flaw(flaw: FlawName, message: string): void {
    const id = this.#n === undefined ? this.#name : `${this.#writer}-${this.#n}`;
    this.#flaws.push({ journal: this.#name, id, flaw, message });
  }
}

function notKnown({ n }: Place): string {
  return `Record ${n} is not the one that the anchor knows.`;
}

function fileCount(count: number): string {
  return count === 1 ? '1 file is missing' : `${count} files are missing`;
}
