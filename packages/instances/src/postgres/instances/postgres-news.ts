/**
 * News between instances, by LISTEN and NOTIFY. It has a connection of its own, which is opened
 * again when it breaks.
 */

import type { Clock } from '@callsign/core';
import pg from 'pg';

import type { News } from '../../news/news.js';
import type { ConnectionOptions } from '../database/connection-options.js';
import type { Database } from '../database/database.js';

export interface PostgresNewsOptions {
  readonly database: Database;
  /**
   * A direct connection, because LISTEN does not work through a pooler that changes connections.
   */
  readonly connection: ConnectionOptions;
  readonly clock: Clock;
}

const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 5_000;
/** How often the connection is tested, because a broken one can look idle. */
const CHECK_MS = 5_000;
/** A connection that does not answer in this time counts as broken. */
const ANSWER_MS = 3_000;

/** News can be lost, so listeners must also look at intervals or when `isLive` is false. */
export class PostgresNews implements News {
  readonly #options: PostgresNewsOptions;
  readonly #channel: string;
  readonly #listeners = new Map<string, Set<(text: string) => void>>();
  #client: pg.Client | undefined;
  #isLive = false;
  #isOpen = true;
  #retryMs = FIRST_RETRY_MS;
  #cancel: (() => void) | undefined;

  constructor(options: PostgresNewsOptions) {
    this.#options = options;
    this.#channel = `${options.database.schema}_news`;
  }

  /** Whether news can come now. */
  get isLive(): boolean {
    return this.#isLive;
  }

  /** Connects. If that fails, it keeps trying in the background, and still resolves. */
  async open(): Promise<void> {
    await this.#connect();
  }

  /** Rejects if the database cannot be reached. */
  async publish(topic: string, text: string): Promise<void> {
    await this.#options.database.query('select pg_notify($1, $2)', [
      this.#channel,
      `${topic}\n${text}`,
    ]);
  }

  subscribe(topic: string, listener: (text: string) => void): () => void {
    const all = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, all.add(listener));
    return () => all.delete(listener);
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    this.#isLive = false;
    this.#cancel?.();
    await this.#client?.end().catch(() => {});
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      ...this.#options.connection,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
    });
    this.#client = client;
    client.on('error', () => this.#lost(client));
    client.on('end', () => this.#lost(client));
    client.on('notification', ({ payload = '' }) => this.#tell(payload));
    try {
      await client.connect();
      await client.query(`listen ${pg.escapeIdentifier(this.#channel)}`);
    } catch {
      this.#lost(client);
      return;
    }
    if (this.#client !== client) return;
    this.#isLive = true;
    this.#retryMs = FIRST_RETRY_MS;
    this.#check(client);
    // News may have been lost while there was no connection, so every listener is called once.
    for (const topic of this.#listeners.keys()) this.#tell(`${topic}\n`);
  }

  #check(client: pg.Client): void {
    this.#cancel = this.#options.clock.after(CHECK_MS, () => {
      client.query('select 1').then(
        () => this.#client === client && this.#isOpen && this.#check(client),
        () => this.#lost(client),
      );
    });
  }

  /**
   * Opens another connection after a pause, which doubles each time. An earlier connection is
   * ignored.
   */
  #lost(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#isLive = false;
    this.#cancel?.();
    client.end().catch(() => {});
    if (!this.#isOpen) return;
    this.#cancel = this.#options.clock.after(this.#retryMs, () => void this.#connect());
    this.#retryMs = Math.min(MAX_RETRY_MS, this.#retryMs * 2);
  }

  #tell(payload: string): void {
    const end = payload.indexOf('\n');
    const text = payload.slice(end + 1);
    for (const listener of this.#listeners.get(payload.slice(0, end)) ?? []) listener(text);
  }
}

/**
 * Orders to all instances, such as to reload. Orders are counted, so an instance that misses the
 * news finds a higher count later.
 */
export interface Orders {
  /** How often this order was given so far. */
  count(order: string): Promise<number>;
  /** Returns the new count. */
  give(order: string): Promise<number>;
}

export function postgresOrders(database: Database, news: News): Orders {
  const orders = database.name('orders');
  return {
    async count(order) {
      const [row] = await database.query<{ count: number }>(
        `select count from ${orders} where name = $1`,
        [order],
      );
      return row?.count ?? 0;
    },
    async give(order) {
      const [row] = await database.query<{ count: number }>(
        `insert into ${orders} as given (name, count) values ($1, 1)
         on conflict (name) do update set count = given.count + 1 returning count`,
        [order],
      );
      await news.publish('orders', order).catch(() => {});
      return row!.count;
    },
  };
}
