/**
 * The queue in front of the journal's files. Intents are written at the end of the event-loop turn,
 * all of a turn with one `write`. Other entries are written with them, or after a short time.
 * Entries that cannot be written wait, are tried again, and are counted if they are lost.
 */

import { setTimeout as sleep } from 'node:timers/promises';

import { type AuditEntry, UNNUMBERED } from '../record/audit-entry.js';
import { IsoTime } from '../record/iso-time.js';
import { type LinePlace, recordLine } from '../record/record-line.js';
import { auditTrouble } from '../record/trouble.js';
import type { Place } from './anchor.js';
import { JournalFile } from './journal-file.js';
import type { JournalOptions, JournalStatus } from './journal-options.js';
import { type FoundEvent, recoverJournals } from './recover.js';
import { SharedSync, type Synced } from './shared-sync.js';
import { TurnWrite } from './turn-write.js';

/** How many entries may wait, and how many characters of parameters they may have. */
const MAX_WAITING = 64_000;
const MAX_CHARACTERS = 16 * 1024 * 1024;
/** The most entries in one block, and how many are enough to write at the end of this turn. */
const BLOCK = 1_000;
const ENOUGH = 100;
const ENOUGH_CHARACTERS = 256 * 1024;
const WAIT_MS = 200;
/** How far the anchor may lag behind the journal. */
const ANCHOR_MS = 500;
/** How often an idle journal writes its anchor. On other machines, a day of silence means that it is dead. */
const FRESH_MS = 60 * 60 * 1000;
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 5_000;

/** The journal that this process writes. Call `close` at shutdown: it writes what is queued. */
export class Journal {
  readonly #options: JournalOptions;
  readonly #file: JournalFile;
  readonly #place: LinePlace;
  #waiting: AuditEntry[] = [];
  #characters = 0;
  #lost = 0;
  #lostInAll = 0;
  #trouble: string | undefined;
  #retryMs = FIRST_RETRY_MS;
  #timer: NodeJS.Timeout | undefined;
  #anchorTimer: NodeJS.Timeout | undefined;
  readonly #freshTimer: NodeJS.Timeout;
  readonly #turn: TurnWrite = new TurnWrite(
    (written) => this.#writeTurn(written),
    () => this.flush(),
  );
  readonly #sync: SharedSync;
  #hasAnchor = true;
  #hasRecovered = false;
  #part = 0;
  #isClosed = false;

  constructor(options: JournalOptions) {
    this.#options = options;
    const { folder, rotateBytes, redact, durability } = options;
    this.#file = new JournalFile({ folder, rotateBytes, isDurable: durability === 'disk' });
    const { writer, name } = this.#file;
    this.#place = { writer, journal: name, redact, times: new IsoTime() };
    const failed = (trouble: string): void => this.#fail(trouble);
    this.#sync = new SharedSync((done) => this.#file.sync(done), failed);
    this.#freshTimer = setInterval(() => {
      if (this.#file.isOpen) this.#writeAnchor();
    }, FRESH_MS).unref();
  }

  get name(): string {
    return this.#file.name;
  }

  /** How many records were written since the start. */
  get written(): number {
    return this.#file.end.n + 1;
  }

  /** Why records cannot be written now. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  get status(): JournalStatus {
    const [trouble, waiting, lost] = [this.#trouble, this.#waiting.length, this.#lostInAll];
    return { waiting, lost, ...(trouble === undefined ? {} : { trouble }) };
  }

  /** Checks whether records can be written. Returns the reason if they cannot. */
  check(): string | undefined {
    if (this.#trouble === undefined && !this.#file.isOpen) this.#try(() => this.#file.open());
    return this.#trouble;
  }

  /** Queues an entry. Returns false if the queue is full. */
  note(entry: AuditEntry): boolean {
    const { maxWaiting = MAX_WAITING } = this.#options;
    const length = 'sizeIn' in entry ? entry.sizeIn : 0;
    const isFull = this.#waiting.length >= maxWaiting || this.#characters + length > MAX_CHARACTERS;
    if (isFull || this.#isClosed) {
      this.#lost++;
      this.#lostInAll++;
      return false;
    }
    this.#waiting.push(entry);
    this.#characters += length;
    if (this.#trouble !== undefined) return true;
    // A very long turn must not fill the queue.
    if (this.#waiting.length >= BLOCK) this.flush();
    else if (this.#waiting.length >= ENOUGH || this.#characters >= ENOUGH_CHARACTERS) {
      this.#turn.schedule();
    } else this.#timer ??= setTimeout(this.#onTime, WAIT_MS).unref();
    return true;
  }

  /**
   * Queues an entry. Calls back when it is written, or with the reason why it is not. All entries of
   * a turn share one write; with `disk`, all that wait share one `fdatasync`.
   */
  commit(entry: AuditEntry, done: Synced): void {
    if (!this.note(entry)) return done(this.#trouble ?? 'too many records wait for the disk');
    if (this.#trouble !== undefined) return done(this.#trouble);
    this.#turn.wait(done);
  }

  /** Queues an event about this journal or another one. */
  event(event: FoundEvent): void {
    this.note({ ...event, n: UNNUMBERED, time: Date.now() });
  }

  /**
   * Records in the anchor where this journal begins. Call it before its old files are deleted.
   * Returns whether they may be deleted.
   */
  prune(through: Place): boolean {
    // Its anchor is final. The next process deletes the files.
    if (this.#isClosed) return false;
    this.#file.prune(through);
    this.#writeAnchor();
    return true;
  }

  /** Writes what is queued, as far as that is possible within the limit. */
  async close(limitMs: number): Promise<void> {
    if (this.#isClosed) return;
    const end = performance.now() + limitMs;
    this.flush();
    while (this.#waiting.length > 0 && performance.now() < end) {
      const left = end - performance.now();
      await sleep(Math.min(FIRST_RETRY_MS, left));
      this.flush();
    }
    this.#recoverOthers();
    if (this.#options.durability === 'disk' && this.#file.isOpen) {
      await new Promise<void>((resolve) => this.#file.sync(() => resolve()));
    }
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#anchorTimer);
    clearInterval(this.#freshTimer);
    const unwritten = this.#waiting.length + this.#lost;
    try {
      this.#file.close({ unwritten, reason: this.#trouble });
    } catch {
      // The next start finds the journal open and repairs it.
    }
    if (unwritten > 0) {
      this.#options.log('warning', `Records of calls lost at shutdown: ${unwritten}.`);
    }
  }

  #writeTurn(written: Synced): void {
    this.flush();
    const isDurable = this.#options.durability === 'disk' && this.#trouble === undefined;
    if (isDurable) this.#sync.run(written);
    else written(this.#trouble);
  }

  readonly #onTime = (): void => {
    this.#timer = undefined;
    this.flush();
  };

  /**
   * Writes what is queued. Leaves a running timer: the next records need it, and a timer per call
   * would cost more.
   */
  flush(): void {
    if (this.#isClosed) return;
    const isDone = this.#waiting.length === 0 || this.#try(() => this.#writeAll());
    if (isDone) this.#recover();
  }

  #writeAll(): void {
    while (this.#waiting.length > 0) {
      const block = this.#waiting.length <= BLOCK ? this.#waiting : this.#waiting.slice(0, BLOCK);
      try {
        this.#file.append(block, this.#lineOf);
      } catch (error) {
        // Entries get their numbers while they are written, and other ones the next time.
        for (const entry of block) entry.n = UNNUMBERED;
        throw error;
      }
      for (const entry of block) if ('sizeIn' in entry) this.#characters -= entry.sizeIn;
      this.#waiting = block === this.#waiting ? [] : this.#waiting.slice(BLOCK);
    }
    this.#anchorTimer ??= setTimeout(this.#tick, ANCHOR_MS).unref();
    const { part } = this.#file.end;
    if (part === this.#part) return;
    this.#part = part;
    this.#options.onPart?.();
  }

  readonly #lineOf = (entry: AuditEntry, n: number): string => {
    entry.n = n;
    return recordLine(entry, this.#place);
  };

  /** Writing works again. The journal itself records what is missing from it. */
  #recover(): void {
    const [lost, trouble] = [this.#lost, this.#trouble];
    this.#trouble = undefined;
    this.#retryMs = FIRST_RETRY_MS;
    if (lost > 0) {
      this.#lost = 0;
      this.event({ kind: 'gap', reason: trouble ?? 'too many records waited', count: lost });
    }
    if (trouble === undefined && lost === 0) return;
    this.#options.log('warning', `The journal can be written again. Records lost: ${lost}.`);
  }

  /** Runs something that writes. If it fails, it returns false and tries again later. */
  #try(run: () => void): boolean {
    try {
      run();
      return true;
    } catch (error) {
      this.#fail(auditTrouble(error).message);
      return false;
    }
  }

  #fail(trouble: string): void {
    const { log, consequence } = this.#options;
    if (this.#trouble === undefined) {
      log('warning', `The journal cannot be written: ${trouble}. ${consequence}`);
    }
    this.#trouble = trouble;
    this.#writeAnchor();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onTime, this.#retryMs).unref();
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
  }

  /** Runs some time after writing: updates the anchor and notices deleted files. */
  readonly #tick = (): void => {
    this.#anchorTimer = undefined;
    if (this.#isClosed) return;
    this.#try(() => this.#reportDeleted());
    this.#writeAnchor();
    this.#recoverOthers();
  };

  #reportDeleted(): void {
    const { part, anchor } = this.#file.findDeleted();
    const alarm = (reason: string): void => this.event({ kind: 'alarm', reason, count: 0 });
    if (part !== undefined) alarm(`part ${part} of this journal was deleted while it was written`);
    if (anchor) alarm('the anchor of this journal was deleted');
  }

  /** The anchor says how many records are not written, in case they never are. */
  #writeAnchor(): void {
    try {
      // Without trouble, queued records are written in a moment.
      const waiting = this.#trouble === undefined ? 0 : this.#waiting.length;
      this.#file.anchor({ unwritten: waiting + this.#lost, reason: this.#trouble });
      this.#hasAnchor = true;
    } catch (error) {
      // Logged once, not at every write.
      if (this.#hasAnchor && this.#file.isOpen) {
        const { message } = auditTrouble(error);
        this.#options.log('warning', `The anchor of the journal cannot be written: ${message}.`);
      }
      this.#hasAnchor = false;
    }
  }

  /** Repairs journals whose processes died, once, and records here what was found. */
  #recoverOthers(): void {
    if (this.#hasRecovered || this.#trouble !== undefined || !this.#file.isOpen) return;
    this.#hasRecovered = true;
    const { folder, log } = this.#options;
    try {
      recoverJournals(folder, this.name, (events) => {
        for (const event of events) this.event(event);
        this.flush();
        return this.#waiting.length === 0;
      });
    } catch (error) {
      log('warning', `Older journals could not be checked: ${auditTrouble(error).message}.`);
    }
  }
}
