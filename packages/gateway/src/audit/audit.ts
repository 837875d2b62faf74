/** The log of calls as two interceptors: one that records how each call ended, one that first says what is to be done. */

import { HouseError, type Call, type Reply } from '@callsign/core';
import type { Interceptor, Next, Target } from '@callsign/core';

import type { Log } from '../log.js';
import { type IntentEntry, UNNUMBERED } from './audit-entry.js';
import type { Outcome } from './audit-record.js';
import type { AuditSettings } from './audit-settings.js';
import { outcomeOfError, outcomeOfReply } from './call-outcome.js';
import { Journal, type JournalStatus } from './journal.js';
import type { Keeper } from './keeper.js';
import { sessionOf, SharedFacts } from './shared-facts.js';
import { defaultAuditFile } from './state-file.js';
import { WorkerKeeper } from './worker-keeper.js';

const CLOSE_MS = 3_000;

export interface AuditOptions {
  readonly settings: AuditSettings;
  readonly log: Log;
  /** Whoever keeps records in place of a thread with a file. */
  readonly keeper?: Keeper;
}

export interface AuditStatus extends JournalStatus {
  readonly mode: AuditSettings['mode'];
}

export class Audit {
  readonly #mode: AuditSettings['mode'];
  readonly #journal: Journal;
  readonly #shared: SharedFacts;
  /** The numbers of intents, for the records of how they ended. */
  readonly #intents = new WeakMap<Call, number>();

  constructor({ settings, log, keeper }: AuditOptions) {
    this.#mode = settings.mode;
    this.#shared = new SharedFacts(settings.arguments === 'redacted');
    const start = { ...settings, file: settings.file ?? defaultAuditFile() };
    this.#journal = new Journal({
      keeper: keeper ?? new WorkerKeeper(start, (sentence) => log('warning', sentence)),
      log,
      consequence:
        settings.mode === 'strict'
          ? 'Calls are refused until it can.'
          : 'Calls are made all the same; those that there is no room for are counted.',
    });
    void this.#journal.open();
  }

  get status(): AuditStatus {
    return { mode: this.#mode, ...this.#journal.status };
  }

  /** The outermost interceptor: what others refuse is recorded as well. */
  readonly record: Interceptor = (call, next) => {
    const journal = this.#journal;
    if (this.#mode !== 'strict') return this.#watch(call, next);
    if (!journal.isOpen) return journal.open().then(() => this.record(call, next));
    const { trouble } = journal;
    if (trouble === undefined) return this.#watch(call, next);
    return this.#watch(call, () => Promise.reject(notRecorded(call, trouble)));
  };

  /** The innermost but what repeats calls: what changes something is not sent before that is on disk. */
  readonly intent: Interceptor = (call, next) => {
    const target = call.target!;
    return target.risk === 'read' ? next() : this.#announce(call, target, next);
  };

  /** Keeps what waits, within a limit. */
  close(limitMs: number = CLOSE_MS): Promise<void> {
    return this.#journal.close(limitMs);
  }

  #watch(call: Call, next: Next): Promise<Reply> {
    const target = call.target!;
    const started = performance.now();
    const reply = next();
    // On the side: the answer does not wait for its record.
    reply.then(
      (answer) => this.#note(call, target, started, outcomeOfReply(answer), answer.json.length),
      (error: unknown) => this.#note(call, target, started, outcomeOfError(error), 0),
    );
    return reply;
  }

  #note(call: Call, target: Target, started: number, outcome: Outcome, size: number): void {
    const ms = performance.now() - started;
    this.#journal.note({
      kind: 'call',
      n: UNNUMBERED,
      time: Date.now() - ms,
      shared: this.#shared.of(call, target, outcome),
      session: sessionOf(call.caller),
      params: call.params,
      ms,
      sizeOut: size,
      intent: target.risk === 'read' ? undefined : this.#intents.get(call),
    });
  }

  async #announce(call: Call, target: Target, next: Next): Promise<Reply> {
    const entry: IntentEntry = {
      kind: 'intent',
      n: UNNUMBERED,
      time: Date.now(),
      shared: this.#shared.of(call, target, undefined),
      session: sessionOf(call.caller),
      params: call.params,
    };
    const kept = this.#journal.commit(entry);
    if (entry.n !== UNNUMBERED) this.#intents.set(call, entry.n);
    const trouble = await kept;
    if (call.isCancelled) throw new HouseError('call-cancelled');
    if (trouble !== undefined && this.#mode === 'strict') throw notRecorded(call, trouble);
    return next();
  }
}

function notRecorded(call: Call, reason: string): HouseError {
  return new HouseError('not-recorded', { tool: call.target!.canonical, reason });
}
