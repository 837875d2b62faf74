/** The log of calls: records how each one ended, and first says of those that change something what is to be done. */

import { isProvenRead } from '@callsign/annotations';
import { CallsignError, type Call, type CallContext, type Reply } from '@callsign/core';
import type { Interceptor, Next, Target } from '@callsign/core';

import type { Log } from '@callsign/core';
import type { EndedCall, Observer } from '@callsign/core';
import { type IntentEntry, UNNUMBERED } from '../record/audit-entry.js';
import type { AuditSettings } from '../record/audit-settings.js';
import { Journal, type JournalStatus } from '../journal/journal.js';
import type { Keeper } from '../journal/keeper.js';
import { sessionOf, SharedFacts, unknownText } from '../record/shared-facts.js';
import { defaultAuditFile } from '../store/state-file.js';
import { WallClock } from '../record/wall-clock.js';
import { WorkerKeeper } from '../journal/worker-keeper.js';

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

export class Audit implements Observer {
  readonly #mode: AuditSettings['mode'];
  readonly #journal: Journal;
  readonly #shared: SharedFacts;
  readonly #clock = new WallClock();
  /** The numbers of intents, for the records of how they ended. */
  readonly #intents = new WeakMap<CallContext, number>();

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

  /** Recorded as it ended: outside of all that may refuse it. */
  end({ call, outcome, startedAt, ms, size }: EndedCall): void {
    const target = call.target!;
    this.#journal.note({
      kind: 'call',
      n: UNNUMBERED,
      time: this.#clock.timeAt(startedAt),
      shared: this.#shared.of(call, target, outcome),
      session: sessionOf(call.caller),
      params: call.params,
      ms,
      sizeOut: size,
      intent: isProvenRead(target.hints) ? undefined : this.#intents.get(call.context),
    });
  }

  /** A call that was refused because there is nothing of that name, or not for this caller. */
  unknown(call: Call): void {
    this.#journal.note({
      kind: 'call',
      n: UNNUMBERED,
      time: Date.now(),
      shared: { text: unknownText(call) },
      session: sessionOf(call.caller),
      params: call.params,
      ms: 0,
      sizeOut: 0,
      intent: undefined,
    });
  }

  /** Refuses calls while they cannot be recorded; absent where they are made all the same. */
  get strict(): Interceptor | undefined {
    return this.#mode === 'strict' ? this.#demandRecord : undefined;
  }

  /** The innermost but what repeats calls: what changes something is not sent before that is on disk. */
  readonly intent: Interceptor = (call, next) => {
    const target = call.target!;
    return isProvenRead(target.hints) ? next() : this.#announce(call, target, next);
  };

  /** Keeps what waits, within a limit. */
  close(limitMs: number = CLOSE_MS): Promise<void> {
    return this.#journal.close(limitMs);
  }

  readonly #demandRecord: Interceptor = (call, next) => {
    const journal = this.#journal;
    if (!journal.isOpen) return journal.open().then(() => this.#demandRecord(call, next));
    const { trouble } = journal;
    return trouble === undefined ? next() : Promise.reject(notRecorded(call, trouble));
  };

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
    if (entry.n !== UNNUMBERED) this.#intents.set(call.context, entry.n);
    const trouble = await kept;
    if (call.context.isCancelled) throw new CallsignError('call-cancelled');
    if (trouble !== undefined && this.#mode === 'strict') throw notRecorded(call, trouble);
    return next();
  }
}

function notRecorded(call: Call, reason: string): CallsignError {
  return new CallsignError('not-recorded', { tool: call.target!.canonical, reason });
}
