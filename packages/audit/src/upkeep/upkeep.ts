/** Upkeep in the background: now and then, if there is something to do, away from calls. */

import { rmSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

import type { Log } from '@callsign/core';

import { type Journal } from '../journal/journal.js';
import type { Retained } from '../journal/retention.js';
import type { AuditSettings } from '../record/audit-settings.js';
import { auditTrouble } from '../record/trouble.js';
import { workerFile } from '../record/worker-file.js';
import type { AuditStore } from '../store/audit-store.js';
import { fillStore } from './fill-store.js';
import { SteadyClock } from './steady-clock.js';
import { runUpkeep, type UpkeepRun } from './upkeep-run.js';
import { Workload } from './workload.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const LOOK_MS = 30_000;
/** New records that are worth a round, and how long fewer wait. */
const ENOUGH = 20_000;
const WAIT_MS = 5 * 60_000;
/** On a busy machine the tables are filled later, but not later than this. A query fills them at once. */
const MOST_MS = 10 * 60_000;
/** How long the thread rests, as a multiple of the time that it works. */
const REST = 3;
/** How long the end waits for a store that is kept close to the journal. */
const LAST_MS = 2_000;
/** Of a store that shares the thread with calls. */
const SLICE = 100;
const HEAP_MB = 64;

export interface UpkeepOptions extends Pick<AuditSettings, 'keepDays' | 'maxBytes'> {
  readonly folder: string;
  readonly journal: Journal;
  readonly log: Log;
  /** Unset: SQLite, in a thread. */
  readonly store?: AuditStore | undefined;
}

export class Upkeep {
  readonly #options: UpkeepOptions;
  readonly #clock = new SteadyClock();
  readonly #timer: NodeJS.Timeout;
  readonly #lagTimer: NodeJS.Timeout | undefined;
  /** How many records of the journal are in a store that is kept close to it. */
  #filled = 0;
  readonly #workload = new Workload();
  readonly #end = new AbortController();
  #done = 0;
  #doneAt = performance.now();
  #failure: string | undefined;
  #running: Promise<void> | undefined;
  #shared: Promise<string | undefined> | undefined;

  constructor(options: UpkeepOptions) {
    this.#options = options;
    this.#clock.look();
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
    const lagMs = options.store?.lagMs;
    if (lagMs !== undefined) {
      this.#lagTimer = setInterval(() => this.#follow(), lagMs).unref();
      // Journals of processes that died may hold more than the tables.
      this.#start(() => this.#fill());
    }
  }

  /** Why records do not get into a store that is kept close to the journal. */
  get unshared(): string | undefined {
    return this.#options.store?.lagMs === undefined ? undefined : this.#failure;
  }

  /**
   * Brings such a store up to date now. Resolves when what was written before is in it, or to the reason why
   * it is not. All that ask while a round is under way share the next one.
   */
  share(): Promise<string | undefined> {
    this.#shared ??= this.#nextRound();
    return this.#shared;
  }

  async #nextRound(): Promise<string | undefined> {
    do await this.#running;
    while (this.#running);
    // Who asks from here on may have written something that this round does not see.
    this.#shared = undefined;
    this.#start(() => this.#fill());
    await this.#running;
    return this.#failure;
  }

  /** Ends a round that is under way: what it has not filled is left to the next one. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    clearInterval(this.#lagTimer);
    this.#end.abort();
    await this.#running;
    const { store } = this.#options;
    if (store?.lagMs !== undefined) await within(LAST_MS, this.#fill());
    await store?.close();
  }

  /** One round. Failures are logged once. `fills`: whether it fills the tables, or only deletes. */
  async run(isSteady: boolean, fills = true): Promise<void> {
    const { folder, journal, keepDays, maxBytes, store } = this.#options;
    if (fills) {
      this.#done = journal.written;
      this.#doneAt = performance.now();
    }
    // A million days means for ever.
    const before = isSteady ? Math.max(Date.now() - keepDays * DAY_MS, 0) : undefined;
    const run = { folder, own: journal.name, before, maxBytes, fills };
    const { signal } = this.#end;
    try {
      const retained = store
        ? await runUpkeep(store, { ...run, recordsAtOnce: SLICE }, signal)
        : await inThread({ ...run, rest: REST }, signal);
      this.#tell(retained);
      this.#failure = undefined;
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    const { message } = auditTrouble(error);
    if (message !== this.#failure) {
      this.#options.log('warning', `The tables of calls were not brought up to date: ${message}.`);
    }
    this.#failure = message;
  }

  /** Brings a store that is kept close to the journal up to date. */
  async #fill(): Promise<void> {
    const { folder, journal, store, log } = this.#options;
    const { written } = journal;
    try {
      await fillStore({ folder, store: store!, recordsAtOnce: SLICE });
      this.#filled = written;
      if (this.#failure !== undefined) log('warning', 'The tables of calls are filled again.');
      this.#failure = undefined;
    } catch (error) {
      this.#fail(error);
    }
  }

  #follow(): void {
    if (this.#options.journal.written > this.#filled) this.#start(() => this.#fill());
  }

  /** One at a time. */
  #start(run: () => Promise<void>): void {
    this.#running ??= run().finally(() => (this.#running = undefined));
  }

  #look(): void {
    const isSteady = this.#clock.look();
    const fresh = this.#options.journal.written - this.#done;
    const waited = performance.now() - this.#doneAt;
    const isTime = fresh >= ENOUGH || (fresh > 0 && waited >= WAIT_MS);
    const isBusy = this.#workload.isBusy();
    if (isTime) this.#start(() => this.run(isSteady, !isBusy || waited >= MOST_MS));
  }

  #tell({ pruned, own }: Retained): void {
    const { journal } = this.#options;
    for (const { event } of pruned) journal.event(event);
    if (!own) return;
    journal.prune(own.through);
    for (const file of own.files) rmSync(file, { force: true });
    journal.event(own.event);
  }
}

/** Waits for something, but not for ever. */
function within(ms: number, run: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
    void run.then(resolve);
  });
}

function inThread(run: UpkeepRun, signal: AbortSignal): Promise<Retained> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerFile(import.meta.url, 'upkeep', 'upkeep-worker'), {
      workerData: run,
      // Flags of the process are not meant for it.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    // The gateway does not wait for it to end.
    worker.unref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
    const end = (): void => worker.postMessage('end');
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => {
      signal.removeEventListener('abort', end);
      reject(new Error('the thread ended'));
    });
  });
}
