/**
 * Upkeep in the background: at intervals, only if there is something to do, and away from calls.
 */

import { rmSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { Worker } from 'node:worker_threads';

import type { Log } from '@callsign/core';

import { journalBytes } from '../journal/journal-folder.js';
import type { Journal } from '../journal/journal.js';
import type { Retained } from '../journal/retention.js';
import type { AuditSettings } from '../record/audit-settings.js';
import { auditTrouble } from '../record/trouble.js';
import { workerFile } from '../record/worker-file.js';
import type { AuditStore } from '../store/audit-store.js';
import { fillStore } from './fill-store.js';
import { runUpkeep, type UpkeepResult, type UpkeepRun } from './upkeep-run.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const LOOK_MS = 30_000;
/** This many new records are worth a round. Fewer wait at most `WAIT_MS`. */
const ENOUGH = 20_000;
const WAIT_MS = 5 * 60_000;
/**
 * While calls are made or the machine is busy, the tables are filled later, at most by this. Queries
 * fill them at once.
 */
const MOST_MS = 10 * 60_000;
/** How long the thread rests, as a multiple of the time that it works. Calls may come meanwhile. */
const REST = 15;
/** How long shutdown waits for a store that follows the journal closely. */
const LAST_MS = 2_000;
/** Records per transaction for a store that shares the thread with calls. */
const SLICE = 100;
const HEAP_MB = 64;

export interface UpkeepOptions extends Pick<AuditSettings, 'keepDays' | 'maxBytes'> {
  readonly folder: string;
  readonly journal: Journal;
  readonly log: Log;
  /** Default: SQLite, in a separate thread. */
  readonly store?: AuditStore | undefined;
  /** Work that waits for a core or has one, on the whole machine. Only tests set it. */
  readonly load?: () => number;
}

/**
 * One per gateway. Its timers do not keep the process alive. Close it after the journal, so that
 * its last round sees all records.
 */
export class Upkeep {
  readonly #options: UpkeepOptions;
  readonly #clock = new SteadyClock();
  readonly #timer: NodeJS.Timeout;
  readonly #lagTimer: NodeJS.Timeout | undefined;
  /** How many records of the journal are in a store that follows it closely. */
  #filled = 0;
  readonly #end = new AbortController();
  /** How many records there were at the last look. */
  #seen = 0;
  #done = 0;
  #doneAt = performance.now();
  #failure: string | undefined;
  #running: Promise<void> | undefined;
  #shrinking: Promise<void> | undefined;
  #shared: Promise<string | undefined> | undefined;

  constructor(options: UpkeepOptions) {
    this.#options = options;
    this.#clock.look();
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
    const lagMs = options.store?.lagMs;
    if (lagMs !== undefined) {
      this.#lagTimer = setInterval(() => this.#follow(), lagMs).unref();
      // Processes that died may have left records that are not in the tables.
      this.#start(() => this.#fill());
    }
  }

  /**
   * Why records cannot be written to a store that follows the journal closely. `undefined`: they
   * can.
   */
  get unshared(): string | undefined {
    return this.#options.store?.lagMs === undefined ? undefined : this.#failure;
  }

  /**
   * Brings such a store up to date now. Resolves when everything that was written before is in it,
   * or with the reason why it is not. All who ask while a round is running share the next one.
   */
  share(): Promise<string | undefined> {
    this.#shared ??= this.#nextRound();
    return this.#shared;
  }

  async #nextRound(): Promise<string | undefined> {
    do await this.#running;
    while (this.#running);
    // Requests from here on may have written records that this round does not see.
    this.#shared = undefined;
    this.#start(() => this.#fill());
    await this.#running;
    return this.#failure;
  }

  /**
   * Deletes the oldest files now if the journals are too large together. Does not wait for a round
   * that fills the tables, since that may take minutes. Call it when a part begins: a gateway that
   * ends soon may never have a round.
   */
  shrink(): Promise<void> {
    this.#shrinking ??= this.#shrink().finally(() => (this.#shrinking = undefined));
    return this.#shrinking;
  }

  async #shrink(): Promise<void> {
    const { folder, maxBytes, store } = this.#options;
    if ((await journalBytes(folder)) <= maxBytes) return;
    if (store?.lagMs === undefined) return this.run(false, false);
    // What is not in a shared store yet must not be deleted.
    while (this.#running) await this.#running;
    this.#start(() => this.run(false));
    await this.#running;
  }

  /** Waits for a deletion that is in progress, within limits. Call it before the journal is closed. */
  async settle(): Promise<void> {
    if (this.#shrinking) await within(LAST_MS, this.#shrinking);
  }

  /** Ends a round that is in progress. The next one fills the rest. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    clearInterval(this.#lagTimer);
    this.#end.abort();
    await this.#shrinking;
    await this.#running;
    const { store } = this.#options;
    if (store?.lagMs !== undefined) await within(LAST_MS, this.#fill());
    await store?.close();
  }

  /** One round. A failure is logged once. `fills`: whether it fills the tables, or only deletes. */
  async run(isSteady: boolean, fills = true): Promise<void> {
    const { folder, journal, keepDays, maxBytes, store } = this.#options;
    if (fills) {
      this.#done = journal.written;
      this.#doneAt = performance.now();
    }
    // `keepDays` may be so large that the time would be before 1970.
    const before = isSteady ? Math.max(Date.now() - keepDays * DAY_MS, 0) : undefined;
    const run = { folder, own: journal.name, before, maxBytes, fills };
    const { signal } = this.#end;
    try {
      const { unreadable, ...retained } = store
        ? await runUpkeep(store, { ...run, recordsAtOnce: SLICE }, signal)
        : await inThread({ ...run, rest: REST }, signal);
      this.#tell(retained);
      if (unreadable === undefined) this.#failure = undefined;
      else this.#fail(unreadable);
    } catch (error) {
      this.#fail(auditTrouble(error).message);
    }
  }

  #fail(message: string): void {
    if (message !== this.#failure) {
      this.#options.log('warning', `The tables of calls could not be updated: ${message}.`);
    }
    this.#failure = message;
  }

  /** Brings a store that follows the journal closely up to date. */
  async #fill(): Promise<void> {
    const { folder, journal, store, log } = this.#options;
    const { written } = journal;
    try {
      await fillStore({ folder, store: store!, recordsAtOnce: SLICE });
      this.#filled = written;
      if (this.#failure !== undefined) log('warning', 'The tables of calls are updated again.');
      this.#failure = undefined;
    } catch (error) {
      this.#fail(auditTrouble(error).message);
    }
  }

  #follow(): void {
    if (this.#options.journal.written > this.#filled) this.#start(() => this.#fill());
  }

  /** One round at a time. */
  #start(run: () => Promise<void>): void {
    this.#running ??= run().finally(() => (this.#running = undefined));
  }

  #look(): void {
    const isSteady = this.#clock.look();
    void this.shrink();
    const { journal, load = machineLoad } = this.#options;
    const { written } = journal;
    const isCalm = written === this.#seen && load() <= availableParallelism();
    this.#seen = written;
    const fresh = written - this.#done;
    const waited = performance.now() - this.#doneAt;
    const isTime = fresh >= ENOUGH || (fresh > 0 && waited >= WAIT_MS);
    // What is not in a shared store yet must not be deleted, so that is filled in any case.
    const fills = isCalm || waited >= MOST_MS || this.#options.store?.lagMs !== undefined;
    if (isTime) this.#start(() => this.run(isSteady, fills));
  }

  #tell({ pruned, own }: Retained): void {
    const { journal } = this.#options;
    for (const { event } of pruned) journal.event(event);
    if (!own || !journal.prune(own.through)) return;
    for (const file of own.files) rmSync(file, { force: true });
    journal.event(own.event);
  }
}

const machineLoad = (): number => loadavg()[0]!;

/** Waits, but no longer than `ms`. */
function within(ms: number, run: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
    void run.then(resolve);
  });
}

function inThread(run: UpkeepRun, signal: AbortSignal): Promise<UpkeepResult> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerFile(import.meta.url, 'upkeep', 'upkeep-worker'), {
      workerData: run,
      // The flags of this process are not meant for the thread.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    // The thread must not keep the gateway alive.
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

/** A difference that no ordinary clock correction makes. */
const JUMP_MS = 60_000;
const STEADY_MS = 10 * 60_000;

/**
 * Tells whether the machine's clock may be trusted for deleting by age. A clock that was just
 * set may not.
 */
export class SteadyClock {
  #ahead: number | undefined;
  #since = 0;

  /**
   * Call it often. True if the clock has not jumped for ten minutes. Sleep of the machine counts as
   * a jump.
   */
  look(now: number = Date.now(), moment: number = performance.now()): boolean {
    const ahead = now - moment;
    if (this.#ahead === undefined || Math.abs(ahead - this.#ahead) > JUMP_MS) {
      this.#ahead = ahead;
      this.#since = moment;
    }
    return moment - this.#since >= STEADY_MS;
  }
}
