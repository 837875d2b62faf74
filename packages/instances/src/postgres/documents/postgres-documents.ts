/**
 * Texts that all instances share, by name. Each instance keeps a copy in memory, which news keeps
 * up to date. In case news is lost, it also reads the database at intervals.
 */

import type { Clock } from '@callsign/core';
import type { LockStore } from '@callsign/governance';

import type { News } from '../../news/news.js';
import type { Database } from '../database/database.js';

export interface PostgresDocumentsOptions {
  readonly database: Database;
  readonly news: News;
  readonly clock: Clock;
}

interface Copy {
  readonly text: string;
  /** The time of the last change, as text. */
  readonly version: string;
}

interface Watch {
  readonly prefix: string;
  readonly listener: () => void;
}

const TOPIC = 'documents';
/** Milliseconds between two readings. */
const LOOK_MS = 2_000;

/** `get` and `names` read the copy at once. `read` asks the database. */
export class PostgresDocuments {
  readonly #options: PostgresDocumentsOptions;
  readonly #copies = new Map<string, Copy>();
  /** Listeners for changes. */
  readonly #watches = new Set<Watch>();
  /** The latest reading. Readings run one after the other. */
  #last: Promise<void> = Promise.resolve();
  /** The reading that comes next and has not begun. */
  #next: Promise<void> | undefined;
  #stop: (() => void) | undefined;
  #cancel: (() => void) | undefined;

  constructor(options: PostgresDocumentsOptions) {
    this.#options = options;
  }

  /** Reads all texts. `isBrief`: later changes by other instances are not noticed. */
  async open(isBrief: boolean): Promise<void> {
    await this.#look();
    if (isBrief) return;
    this.#stop = this.#options.news.subscribe(TOPIC, () => void this.#lookAgain().catch(() => {}));
    this.#lookLater();
  }

  close(): void {
    this.#stop?.();
    this.#cancel?.();
  }

  /** The names with this prefix, in order. */
  names(prefix: string): string[] {
    return [...this.#copies.keys()].filter((name) => name.startsWith(prefix)).toSorted();
  }

  /** The copy of a text; `undefined` if there is none. */
  get(name: string): string | undefined {
    return this.#copies.get(name)?.text;
  }

  /** The text as it is in the database now. */
  async read(name: string): Promise<string | undefined> {
    const { database } = this.#options;
    const [row] = await database.query<{ text: string }>(
      `select text from ${database.name('documents')} where name = $1`,
      [name],
    );
    return row?.text;
  }

  /**
   * Changes a text, one instance at a time. `change` gets the current text; `undefined`: there is
   * none, or it is to be deleted. Resolves when the copy of this instance is up to date.
   */
  async change(
    name: string,
    change: (before: string | undefined) => string | undefined,
  ): Promise<void> {
    const { database, news } = this.#options;
    const documents = database.name('documents');
    const isChanged = await database.transaction(async (statements) => {
      await statements.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
        `callsign ${database.schema} ${name}`,
      ]);
      const [row] = await statements.query<{ text: string }>(
        `select text from ${documents} where name = $1`,
        [name],
      );
      const text = change(row?.text);
      if (text === row?.text) return false;
      if (text === undefined) {
        await statements.query(`delete from ${documents} where name = $1`, [name]);
      } else {
        await statements.query(
          `insert into ${documents} (name, text) values ($1, $2)
           on conflict (name) do update set text = excluded.text, changed_at = clock_timestamp()`,
          [name, text],
        );
      }
      return true;
    });
    // An instance that misses the news finds the change at its next reading.
    if (isChanged) await news.publish(TOPIC, name).catch(() => {});
    await this.#lookAgain();
  }

  /** Brings the copies up to date with every change that was made before. However many ask, one reading waits. */
  refresh(): Promise<void> {
    return this.#lookAgain();
  }

  /** Calls back after a text with this prefix has changed. Returns a function that ends it. */
  watch(prefix: string, listener: () => void): () => void {
    const watch = { prefix, listener };
    this.#watches.add(watch);
    return () => this.#watches.delete(watch);
  }

  #lookLater(): void {
    this.#cancel = this.#options.clock.after(LOOK_MS, () => {
      // Also while news is live: a broken connection may look idle for a while, and a revoked key must end.
      this.#lookAgain().catch(() => {});
      this.#lookLater();
    });
  }

  /** Reads after the reading in progress, which may not see the latest change. */
  #lookAgain(): Promise<void> {
    if (this.#next) return this.#next;
    const looking = this.#last.then(() => {
      this.#next = undefined;
      return this.#look();
    });
    this.#next = looking;
    this.#last = looking.catch(() => {});
    return looking;
  }

  /** Compares the versions of all texts, and reads those that have changed. */
  async #look(): Promise<void> {
    const { database } = this.#options;
    const documents = database.name('documents');
    const rows = await database.query<{ name: string; version: string }>(
      `select name, changed_at::text as version from ${documents}`,
    );
    const there = new Set(rows.map(({ name }) => name));
    const gone = [...this.#copies.keys()].filter((name) => !there.has(name));
    const changed = rows
      .filter(({ name, version }) => this.#copies.get(name)?.version !== version)
      .map(({ name }) => name);
    for (const name of gone) this.#copies.delete(name);
    if (changed.length > 0) {
      const texts = await database.query<Copy & { name: string }>(
        `select name, text, changed_at::text as version from ${documents} where name = any($1)`,
        [changed],
      );
      for (const { name, ...copy } of texts) this.#copies.set(name, copy);
    }
    const moved = [...gone, ...changed];
    for (const { prefix, listener } of this.#watches) {
      if (moved.some((name) => name.startsWith(prefix))) listener();
    }
  }
}

/**
 * The lock file in the database. A definition that is accepted on one instance is accepted on all of
 * them. Reads come from the copy in memory, so they are synchronous.
 */
export function postgresLock(documents: PostgresDocuments, schema: string): LockStore {
  return {
    place: `the database (schema "${schema}")`,
    read: () => documents.get('lock'),
    change: (change) => documents.change('lock', change),
    watch: (listener) => documents.watch('lock', listener),
  };
}
