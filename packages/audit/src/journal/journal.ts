/** The bounded line of entries that wait to be kept: sent in batches, sent again after a failure, counted when lost. */

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Log } from '@callsign/core';
import { type AuditEntry, UNNUMBERED } from '../record/audit-entry.js';
import { Page } from '../store/batch.js';
import type { Keeper } from './keeper.js';

/** Entries that may wait, and the characters of texts in them. */
const MAX_WAITING = 64_000;
const MAX_CHARACTERS = 16 * 1024 * 1024;
/** Entries that go at once, and how long fewer wait for company. */
const BATCH = 16_000;
const BATCH_CHARACTERS = 1024 * 1024;
const BATCH_MS = 200;
/** How long a batch may take before it counts as a failure. */
const PATIENCE_MS = 10_000;
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 5_000;

export interface JournalOptions {
  readonly keeper: Keeper;
  readonly log: Log;
  /** What the operator is told it means, when entries cannot be kept. */
  readonly consequence: string;
  /** For tests that fill it. */
  readonly maxWaiting?: number;
  readonly patienceMs?: number;
}

export interface JournalStatus {
  readonly waiting: number;
  /** Since the start. */
  readonly lost: number;
  readonly trouble?: string;
}

export class Journal {
  readonly #options: JournalOptions;
  readonly #writer = randomBytes(8).toString('hex');
  /** Oldest first. One that was sent takes no more: should it have to be sent again, it is the same. */
  readonly #pages: Page[] = [];
  readonly #committing: {
    readonly n: number;
    readonly done: (trouble: string | undefined) => void;
  }[] = [];
  /** How many of the pages were sent, be it in vain: one, or none. */
  #sent = 0;
  #isFlying = false;
  /** That of the page that was kept last. */
  #room: Float64Array | undefined;
  #waiting = 0;
  #characters = 0;
  #n = 0;
  #lost = 0;
  #lostInAll = 0;
  #trouble: string | undefined;
  #retryMs = FIRST_RETRY_MS;
  #timer: NodeJS.Timeout | undefined;
  #isOpen = false;
  #isClosed = false;
  #opened: Promise<void> | undefined;
  #landed: (() => void)[] = [];

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  /** Why entries are not kept just now. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Whether it is known yet if entries are kept. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  get status(): JournalStatus {
    const trouble = this.#trouble;
    return {
      waiting: this.#waiting,
      lost: this.#lostInAll,
      ...(trouble === undefined ? {} : { trouble }),
    };
  }

  /** Wakes the keeper. Resolves when it is known whether it keeps anything. */
  open(): Promise<void> {
    return (this.#opened ??= new Promise((resolve) => {
      this.#landed.push(resolve);
      this.#fly();
    }));
  }

  /** Takes an entry and numbers it, to be kept soon; false if there is no room for it. */
  note(entry: AuditEntry): boolean {
    const { maxWaiting = MAX_WAITING } = this.#options;
    const length = entry.kind === 'gap' ? 0 : entry.params.length;
    const isFull = this.#waiting >= maxWaiting || this.#characters + length > MAX_CHARACTERS;
    if (isFull || this.#isClosed) {
      this.#lost++;
      this.#lostInAll++;
      return false;
    }
    const page = this.#page();
    entry.n = this.#n++;
    this.#waiting++;
    this.#characters += page.add(entry);
    if (this.#isEnough && !this.#isFlying && this.#trouble === undefined) this.#fly();
    else this.#timer ??= setTimeout(this.#fly, BATCH_MS).unref();
    return true;
  }

  /**
   * Takes an entry. Resolves when it is on disk, or to the reason why it is not. All that wait at the
   * same time share one trip to the disk.
   */
  commit(entry: AuditEntry): Promise<string | undefined> {
    const isTaken = this.note(entry);
    if (!isTaken || this.#trouble !== undefined) {
      return Promise.resolve(this.#trouble ?? 'too many records wait for the disk');
    }
    return new Promise((done) => {
      this.#committing.push({ n: entry.n, done });
      this.#fly();
    });
  }

  /** Keeps what waits, as far as that is possible within a time, and takes leave of the keeper. */
  async close(limitMs: number): Promise<void> {
    const end = performance.now() + limitMs;
    // Not left to itself: nothing else may keep the process from ending before its records are kept.
    const inTime = new AbortController();
    const late = sleep(limitMs, true, { signal: inTime.signal }).catch(() => true);
    this.#retryMs = FIRST_RETRY_MS;
    if (this.#waiting > 0) this.#fly();
    while (this.#waiting > 0 || this.#isFlying) {
      // In trouble it tries again by itself, after a while.
      if (this.#trouble === undefined) this.#fly();
      const landed = new Promise<false>((resolve) => this.#landed.push(() => resolve(false)));
      if (await Promise.race([landed, late])) break;
    }
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#options.keeper.close(Math.max(end - performance.now(), 0));
    inTime.abort();
    const left = this.#waiting + this.#lost;
    if (left > 0) this.#options.log('warning', `${left} records of calls were lost at the end.`);
  }

  /** Whether what waits goes without waiting for company. */
  get #isEnough(): boolean {
    return this.#waiting >= BATCH || this.#characters >= BATCH_CHARACTERS;
  }

  /** The one that takes the next entry. */
  #page(): Page {
    const last = this.#pages.at(-1);
    if (last && last.length < BATCH && this.#pages.length > this.#sent) return last;
    const page = new Page(this.#n, this.#room);
    this.#room = undefined;
    this.#pages.push(page);
    return page;
  }

  readonly #fly = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isFlying || this.#isClosed) return;
    this.#isFlying = true;
    this.#sent = Math.min(this.#pages.length, 1);
    const page = this.#pages[0] ?? new Page(this.#n);
    const { keeper, patienceMs = PATIENCE_MS } = this.#options;
    const slow = setTimeout(() => this.#fail('the disk is too slow'), patienceMs).unref();
    const land = (trouble?: string): void => {
      clearTimeout(slow);
      this.#isFlying = false;
      this.#isOpen = true;
      const landed = this.#landed.splice(0);
      if (trouble === undefined) this.#kept(page);
      else this.#refused(trouble);
      for (const tell of landed) tell();
    };
    keeper.keep(page.toBatch(this.#writer)).then(
      () => land(),
      (error: Error) => land(error.message),
    );
  };

  #kept({ first, length, characters, room }: Page): void {
    this.#room = room;
    this.#pages.splice(0, this.#sent);
    this.#sent = 0;
    this.#waiting -= length;
    this.#characters -= characters;
    const waitsFrom = this.#committing.findIndex(({ n }) => n >= first + length);
    const settled = this.#committing.splice(0, waitsFrom === -1 ? Infinity : waitsFrom);
    this.#recover();
    for (const { done } of settled) done(undefined);
    if (this.#committing.length > 0 || this.#isEnough) this.#fly();
    else if (this.#waiting > 0) this.#timer ??= setTimeout(this.#fly, BATCH_MS).unref();
  }

  /** What was lost is said in the log itself, in the place where it is missing. */
  #recover(): void {
    const [lost, trouble] = [this.#lost, this.#trouble];
    this.#trouble = undefined;
    this.#retryMs = FIRST_RETRY_MS;
    if (lost > 0) {
      this.#lost = 0;
      const reason = trouble ?? 'too many records waited for the disk';
      this.note({ kind: 'gap', n: UNNUMBERED, time: Date.now(), lost, reason });
    }
    if (trouble === undefined && lost === 0) return;
    this.#options.log('warning', `The audit log is written again; ${lost} records were lost.`);
  }

  #refused(trouble: string): void {
    this.#fail(trouble);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#fly, this.#retryMs).unref();
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
  }

  #fail(trouble: string): void {
    const { log, consequence } = this.#options;
    // What is lost at the end is counted by close().
    if (this.#trouble === undefined && !this.#isClosed) {
      log('warning', `The audit log cannot be written: ${trouble}. ${consequence}`);
    }
    this.#trouble = trouble;
    this.#isOpen = true;
    for (const landed of this.#landed.splice(0)) landed();
    for (const { done } of this.#committing.splice(0)) done(trouble);
  }
}
