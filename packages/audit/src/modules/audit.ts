/** Records how each call ended, and writes an intent before each call that may change something. */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Home } from '@callsign/config';
import {
  type Call,
  CallsignError,
  type EndedCall,
  type Interceptor,
  type Log,
  type Next,
  type Observer,
  redactArguments,
  type Reply,
  type Target,
} from '@callsign/core';
import { isProvenRead } from '@callsign/effects';

import { defaultAuditFolder } from '../journal/journal-folder.js';
import type { JournalStatus } from '../journal/journal-options.js';
import { Journal } from '../journal/journal.js';
import { type IntentEntry, UNNUMBERED } from '../record/audit-entry.js';
import { type AuditSettings, SQLITE } from '../record/audit-settings.js';
import { CallFacts, unknownFacts } from '../record/call-facts.js';
import type { StoreModule } from '../store/audit-store.js';
import { Upkeep } from '../upkeep/upkeep.js';

const CLOSE_MS = 3_000;
/** Bytes. Files are small compared with the limit, so that little is deleted at once. */
const LARGEST_FILE = 16 * 1024 * 1024;
const FILES = 8;

export interface AuditOptions {
  readonly settings: AuditSettings;
  readonly log: Log;
  /** Stores besides SQLite. */
  readonly stores?: readonly ConfiguredStore[];
  /** Where records are kept if the settings do not say. Default: the home of this process. */
  readonly home?: Home | undefined;
}

/** A store module and its settings. */
export interface ConfiguredStore {
  readonly module: StoreModule;
  readonly settings?: unknown;
}

/** The state of the journal and of its tables. */
export interface AuditStatus extends JournalStatus {
  readonly mode: AuditSettings['mode'];
  /** Why records are not in the shared store yet. They follow when it can be reached. */
  readonly unshared?: string;
}

/** One per gateway. It observes calls, and its interceptor writes intents. */
export class Audit implements Observer {
  readonly #mode: AuditSettings['mode'];
  readonly #journal: Journal;
  readonly #upkeep: Upkeep;
  /** Whether an intent must be in the shared store before its call is sent. */
  readonly #isShared: boolean;
  readonly #facts: CallFacts;
  readonly #clock = new WallClock();

  /** Writes nothing before the first record. Throws if the settings name an unknown store. */
  constructor({ settings, log, stores = [], home }: AuditOptions) {
    const { mode, durability, keepDays, maxBytes } = settings;
    this.#mode = mode;
    const keepsArguments = settings.arguments === 'redacted';
    this.#facts = new CallFacts(keepsArguments);
    const folder = settings.folder ?? defaultAuditFolder(home);
    this.#journal = new Journal({
      folder,
      durability: durability === 'disk' ? 'disk' : 'process',
      rotateBytes: Math.min(LARGEST_FILE, Math.ceil(maxBytes / FILES)),
      redact: keepsArguments
        ? (json, schema) => redactArguments(json, schema, settings.redact)
        : undefined,
      log,
      consequence:
        mode === 'strict'
          ? 'Calls are refused until it can be written.'
          : 'Calls continue. Records that do not fit are counted.',
      onPart: () => void this.#upkeep.shrink(),
    });
    if (settings.folder === undefined) sayOldFile(folder, log);
    const store = openStore(settings, folder, stores);
    this.#isShared = durability === 'shared';
    if (this.#isShared && store?.lagMs === undefined) {
      throw new Error('"durability": "shared" needs the setting "storage".');
    }
    this.#upkeep = new Upkeep({ folder, journal: this.#journal, keepDays, maxBytes, log, store });
  }

  get status(): AuditStatus {
    const unshared = this.#upkeep.unshared;
    return {
      mode: this.#mode,
      ...this.#journal.status,
      ...(unshared === undefined ? {} : { unshared }),
    };
  }

  /** Records the end of a call. Refused calls end too. */
  end({ call, outcome, startedAt, ms, waitedMs, size }: EndedCall): void {
    const target = call.target!;
    this.#journal.note({
      kind: 'call',
      n: UNNUMBERED,
      time: this.#clock.timeAt(startedAt),
      facts: this.#facts.of(call, target, outcome),
      session: call.caller.id,
      sizeIn: call.params.length,
      argumentsJson: call.givenJson,
      ms,
      waitedMs,
      sizeOut: size,
      intent: call.context.intent,
    });
  }

  /** Records a call to a name that is unknown. */
  unknown(call: Call): void {
    this.#journal.note({
      kind: 'call',
      n: UNNUMBERED,
      time: Date.now(),
      facts: unknownFacts(call),
      session: call.caller.id,
      sizeIn: call.params.length,
      argumentsJson: call.givenJson,
      ms: 0,
      sizeOut: 0,
      intent: undefined,
    });
  }

  /** Refuses calls while they cannot be recorded. `undefined`: calls are made anyway. */
  get strict(): Interceptor | undefined {
    return this.#mode === 'strict' ? this.#demandRecord : undefined;
  }

  /** Writes an intent before a call that may change something. Proven reads do not wait. */
  readonly intent: Interceptor = (call, next) => {
    const target = call.target!;
    return isProvenRead(target.hints) ? next() : this.#announce(call, target, next);
  };

  flush(): void {
    this.#journal.flush();
  }

  /** Writes what is queued, within a limit. */
  async close(limitMs: number = CLOSE_MS): Promise<void> {
    await this.#upkeep.settle();
    await this.#journal.close(limitMs);
    await this.#upkeep.close();
  }

  readonly #demandRecord: Interceptor = (call, next) => {
    const trouble = this.#journal.check() ?? this.#upkeep.unshared;
    return trouble === undefined ? next() : Promise.reject(notRecorded(call, trouble));
  };

  #announce(call: Call, target: Target, next: Next): Promise<Reply> {
    const entry: IntentEntry = {
      kind: 'intent',
      n: UNNUMBERED,
      time: Date.now(),
      facts: this.#facts.of(call, target, undefined),
      session: call.caller.id,
      sizeIn: call.params.length,
      argumentsJson: call.givenJson,
      given: undefined,
    };
    call.context.intent = entry;
    return new Promise((resolve, reject) => {
      const send = (trouble: string | undefined): void => {
        this.#sendRecorded(call, next, trouble).then(resolve, reject);
      };
      this.#journal.commit(entry, (trouble) => {
        if (this.#isShared && trouble === undefined) this.#upkeep.share().then(send, reject);
        else send(trouble);
      });
    });
  }

  /** Never throws: other calls wait for the same write. */
  #sendRecorded(call: Call, next: Next, trouble: string | undefined): Promise<Reply> {
    try {
      // The write took time: the caller may have cancelled in between.
      if (call.context.isCancelled) throw new CallsignError('call-cancelled');
      if (trouble !== undefined && this.#mode === 'strict') throw notRecorded(call, trouble);
      return next();
    } catch (error) {
      return Promise.reject(error as Error);
    }
  }
}

/** Records of versions before the first release are left as they are. */
function sayOldFile(folder: string, log: Log): void {
  const file = join(dirname(folder), 'audit.db');
  if (!existsSync(file)) return;
  log(
    'info',
    `Records of an older version are in ${file}. Callsign does not read them. See docs/upgrading.md`,
  );
}

function openStore(
  { store }: AuditSettings,
  folder: string,
  stores: readonly ConfiguredStore[],
): ReturnType<StoreModule['open']> | undefined {
  if (store === SQLITE) return undefined;
  const chosen = stores.find(({ module }) => module.name === store);
  if (chosen) return chosen.module.open({ folder, settings: chosen.settings });
  const known = [SQLITE, ...stores.map(({ module }) => module.name)].join(', ');
  throw new Error(`There is no store "${store}". Known stores: ${known}.`);
}

function notRecorded(call: Call, reason: string): CallsignError {
  return new CallsignError('not-recorded', { tool: call.target!.canonical, reason });
}

/**
 * How long one answer of the system is used: clocks are adjusted, and machines sleep. A call that
 * starts this soon after a sleep may get the time before it.
 */
const HOLDS_MS = 5;

/**
 * The time of day at a moment of `performance.now()`. Asking the system each time would be a tenth
 * of the cost of a record.
 */
export class WallClock {
  #ahead = 0;
  #askAt = -Infinity;

  /** Milliseconds since 1970. Only for recent moments. */
  timeAt(moment: number): number {
    if (moment >= this.#askAt) {
      const now = performance.now();
      this.#ahead = Date.now() - now;
      this.#askAt = now + HOLDS_MS;
    }
    return moment + this.#ahead;
  }
}
