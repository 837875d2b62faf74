/** Records in a file of SQLite, which several gateways of one user may share. */

import { basename } from 'node:path';

import { readAnchor, writeAnchor } from './anchor.js';
import type { Head } from '../record/audit-record.js';
import type { AuditStore, Draft, ReadOptions, Retention } from './audit-store.js';
import { GENESIS, type Segment } from './chain.js';
import { appendAlarm, appendDrafts, headOf, pruneRecords } from './sqlite-chain.js';
import { identityOf, inTransaction, openForReading, openForWriting } from './sqlite-file.js';
import { setAside, type Connection } from './sqlite-file.js';
import { isCorrupt, storeTrouble } from './store-trouble.js';

/** Segments that a reader holds in memory at once. */
const PAGE = 16;

/** Takes sentences for the operator. */
type Say = (sentence: string) => void;

export class SqliteStore implements AuditStore {
  readonly #file: string;
  readonly #say: Say;
  #db: Connection | undefined;
  /** Which file it was that we opened. */
  #identity: string | undefined;
  #hasAnchor = true;

  constructor(file: string, say: Say) {
    this.#file = file;
    this.#say = say;
  }

  // oxlint-disable-next-line typescript/require-await -- what it throws has to come as a rejection
  async append(writer: string, drafts: readonly Draft[]): Promise<void> {
    this.#write((db) => {
      const { head, isForced } = inTransaction(db, () =>
        appendDrafts(db, readAnchor(this.#file), writer, drafts),
      );
      this.#anchor(head, isForced);
    });
  }

  async *read({ after = 0, newestFirst = false }: ReadOptions = {}): AsyncIterable<Segment> {
    // A connection of its own sees the file as it is now, whatever is written meanwhile.
    const db = openForReading(this.#file);
    try {
      db.exec('BEGIN');
      const page = db.prepare(
        newestFirst
          ? 'SELECT * FROM segments WHERE seq > ? AND seq < ? ORDER BY seq DESC LIMIT ?'
          : 'SELECT * FROM segments WHERE seq > ? AND seq < ? ORDER BY seq LIMIT ?',
      );
      let [low, high] = [after, Number.MAX_SAFE_INTEGER];
      for (;;) {
        const rows = page.all(low, high, PAGE) as Segment[];
        yield* rows;
        const last = rows.at(-1);
        if (!last || rows.length < PAGE) return;
        if (newestFirst) high = last.seq;
        else low = last.seq;
      }
    } catch (error) {
      throw storeTrouble(error);
    } finally {
      db.close();
    }
  }

  anchor(): Promise<Head | undefined> {
    return Promise.resolve(readAnchor(this.#file));
  }

  // oxlint-disable-next-line typescript/require-await -- what it throws has to come as a rejection
  async prune(retention: Retention): Promise<number> {
    return this.#write((db) => {
      const { count, head } = inTransaction(db, () => pruneRecords(db, retention));
      if (count === 0) return 0;
      this.#anchor(head, false);
      db.exec('PRAGMA incremental_vacuum');
      return count;
    });
  }

  close(): Promise<void> {
    this.#db?.close();
    this.#db = undefined;
    return Promise.resolve();
  }

  /** After any failure the file is opened anew: whatever was wrong with it, that is how it comes right. */
  #write<T>(run: (db: Connection) => T): T {
    try {
      return run(this.#open());
    } catch (error) {
      void this.close();
      if (!isCorrupt(error)) throw storeTrouble(error);
    }
    try {
      this.#beginAnew();
      return run(this.#open());
    } catch (error) {
      void this.close();
      throw storeTrouble(error);
    }
  }

  #open(): Connection {
    // Deleted or replaced under our hands, the old file would go on taking records that nobody sees.
    if (this.#db && identityOf(this.#file) === this.#identity) return this.#db;
    void this.close();
    // Known before the driver looks at it: it may turn out to be corrupt.
    this.#identity = identityOf(this.#file);
    this.#db = openForWriting(this.#file);
    this.#identity = identityOf(this.#file);
    if (!readAnchor(this.#file) && headOf(this.#db).seq === 0) writeAnchor(this.#file, GENESIS);
    return this.#db;
  }

  #beginAnew(): void {
    const anchor = readAnchor(this.#file);
    const aside = setAside(this.#file, this.#identity);
    if (aside === undefined) return;
    const name = basename(aside);
    const reason = `the file was corrupt and is now ${name}; a new chain begins here`;
    const db = this.#open();
    inTransaction(db, () => appendAlarm(db, reason, anchor));
    this.#say(`The audit log was corrupt. It is now ${aside}, and a new one has begun.`);
  }

  /** Never before the records are on disk: an anchor may lag behind, and must not run ahead. */
  #anchor(head: Head, isForced: boolean): void {
    try {
      const known = readAnchor(this.#file);
      if (isForced || !known || known.seq < head.seq) writeAnchor(this.#file, head);
      this.#hasAnchor = true;
    } catch (error) {
      // Once, and not at every write.
      if (this.#hasAnchor) {
        this.#say(`The anchor of the audit log was not written: ${(error as Error).message}`);
      }
      this.#hasAnchor = false;
    }
  }
}
