/**
 * Decides when the first lists are answered, and when servers start. A list waits, up to a limit, for servers
 * without a remembered list. Servers with a remembered list start after the first list was answered, so that
 * starting processes does not slow it down.
 */

import type { AnnouncedClient } from '@callsign/naming';

import type { Settings } from '../config/settings.js';
import type { ServerPool } from '../servers/server-pool.js';

/** How long remembered servers hold their start, in case a client asks for a list. */
const HEAD_START_MS = 400;
/**
 * The longest time that they hold it once a client has asked. The client may have left, or its list may wait
 * for a slow server.
 */
const MOST_MS = 2_000;

export interface FirstListsOptions {
  readonly pool: Pick<
    ServerPool,
    'isKnown' | 'isListed' | 'isSettled' | 'listed' | 'settled' | 'startCached'
  >;
  /** Resolves when the items of the servers have been judged; `undefined` if they are. */
  readonly judged: () => Promise<void> | undefined;
  readonly settings: () => Pick<Settings, 'listOnceWaitMs' | 'listWaitMs'>;
  /** Whether a client asks for lists only once. */
  readonly listsOnce: (client: AnnouncedClient | undefined) => boolean;
}

/** Goes through its stages once. A reload does not start them again. */
export class FirstLists {
  readonly #options: FirstListsOptions;
  #begin: () => void = () => undefined;
  readonly #begun: Promise<void> = new Promise((resolve) => {
    this.#begin = resolve;
  });
  /** Resolves when every server has started or failed once. */
  readonly #started: Promise<void>;
  #stage: 'before' | 'starting' | 'started' = 'before';
  #isAsked = false;
  #headStart: NodeJS.Timeout | undefined;
  /** How long clients have waited for their greeting, in milliseconds. */
  readonly #waited = new WeakMap<AnnouncedClient, number>();

  constructor(options: FirstListsOptions) {
    this.#options = options;
    this.#started = this.#firstStart();
  }

  /**
   * Called when the servers are in place. `isEager`: servers with remembered lists start at once
   * too.
   */
  begin(isEager = false): void {
    this.#stage = 'starting';
    this.#begin();
    if (isEager) return this.#options.pool.startCached();
    this.#headStart = setTimeout(() => {
      if (!this.#isAsked) this.answered();
      else this.#headStart = setTimeout(() => this.answered(), MOST_MS - HEAD_START_MS);
    }, HEAD_START_MS);
  }

  /** What the clients of a gateway wait for. */
  readonly forClients = {
    whenPlaced: (client: AnnouncedClient | undefined): Promise<void> | undefined =>
      this.whenGreeted(client),
    whenListed: (client: AnnouncedClient | undefined): Promise<void> => this.whenListed(client),
    onListed: (): void => this.answered(),
    whenStarted: (): Promise<void> | undefined => this.whenStarted(),
    isSettled: (): boolean => this.isSettled(),
    isKnown: (): boolean => this.isSettled() && this.#options.pool.isKnown(),
    whenSettled: (): Promise<void> => this.whenSettled(),
  };

  /** Called when a list was sent to a client. */
  answered(): void {
    if (this.#headStart === undefined) return;
    clearTimeout(this.#headStart);
    this.#headStart = undefined;
    this.#options.pool.startCached();
  }

  /**
   * Resolves when the servers without a remembered list have started, because a client gets
   * instructions only with its greeting. The wait is a part of the wait for the first list.
   */
  whenGreeted(client: AnnouncedClient | undefined): Promise<void> | undefined {
    const isKnown = this.#stage !== 'before' && this.#options.pool.isListed();
    return isKnown ? undefined : this.#greeted(client);
  }

  async #greeted(client: AnnouncedClient | undefined): Promise<void> {
    const since = performance.now();
    // What is remembered must be in place, however long that takes.
    await this.#begun;
    await this.#listedWithin(this.#options.settings().listWaitMs);
    if (client) this.#waited.set(client, performance.now() - since);
  }

  /** Whether every server has started or failed, so that lists and capabilities are complete. */
  isSettled(): boolean {
    const { pool, judged } = this.#options;
    return this.#stage !== 'before' && pool.isSettled() && judged() === undefined;
  }

  whenSettled(): Promise<void> {
    return this.#begun.then(() => this.#settled());
  }

  /** Resolves after the first start of every server; `undefined` from then on. */
  whenStarted(): Promise<void> | undefined {
    return this.#stage === 'started' ? undefined : this.#started;
  }

  /** Resolves when a client's list is complete, or its wait is over. The wait begins with the request. */
  async whenListed(client: AnnouncedClient | undefined): Promise<void> {
    const { settings, listsOnce, pool } = this.#options;
    // A reload may have added a server.
    if (this.#stage === 'started' && pool.isListed()) return;
    this.#isAsked = true;
    const { listWaitMs, listOnceWaitMs } = settings();
    const limitMs = listsOnce(client) ? Math.max(listWaitMs, listOnceWaitMs) : listWaitMs;
    const waitedMs = (client && this.#waited.get(client)) ?? 0;
    if (client) this.#waited.delete(client);
    await this.#listedWithin(Math.max(0, limitMs - waitedMs));
  }

  async #listedWithin(limitMs: number): Promise<void> {
    const { pool, judged } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs).unref();
    });
    const listed = this.#begun.then(() => pool.listed()).then(() => judged());
    await Promise.race([listed, late]);
    clearTimeout(timer);
  }

  async #settled(): Promise<void> {
    await this.#options.pool.settled();
    await this.#options.judged();
  }

  async #firstStart(): Promise<void> {
    await this.#begun;
    await this.#settled();
    this.#stage = 'started';
  }
}
