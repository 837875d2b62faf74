/** Applies the lock file: items that changed since they were accepted are reported or withheld. */

import type { Item, Log, Source, Target, Unsubscribe } from '@callsign/core';
import { canonicalName, OWN_SERVER_KEY } from '@callsign/naming';

import type { LockMode } from './lock-settings.js';
import {
  instructionsItem,
  isInstructions,
  isMarker,
  judgedAs,
  judgedKind,
} from './judged-items.js';
import type { LockStore } from './lock-store.js';
import { LastOffers } from './last-offers.js';
import { ToolLock, type Standing } from './tool-lock.js';
import { ToolNotes, type ToolNote } from './tool-notes.js';

export interface LockRules {
  readonly mode: LockMode;
  readonly store: LockStore;
  /** The servers of the configuration. */
  readonly servers: readonly string[];
}

/** Accepts servers that are not in the lock yet, and compares all others. */
export class LockedTools {
  readonly #log: Log;
  readonly #offered = new LastOffers(['tool', 'prompt', 'template']);
  readonly #notes: ToolNotes;
  readonly #onCompared: () => void;
  #rules: Omit<LockRules, 'store'> = { mode: 'off', servers: [] };
  #lock: ToolLock | undefined;
  #unwatch: Unsubscribe | undefined;
  /** The canonical names of all items that were compared. */
  #seen: ReadonlySet<string> = new Set();

  /** `onCompared`: called when the accepted tools may have changed. */
  constructor(log: Log, refresh: () => void, onCompared: () => void = () => undefined) {
    this.#log = log;
    this.#notes = new ToolNotes(log, refresh);
    this.#onCompared = onCompared;
  }

  /** Applies new settings. Throws if the lock file cannot be read; then nothing changes. */
  apply(rules: LockRules): void {
    // First, since it may throw.
    const lock = rules.mode === 'off' ? undefined : this.#lockIn(rules.store);
    this.#rules = rules;
    if (lock !== this.#lock) {
      this.#unwatch?.();
      this.#unwatch = lock && rules.store.watch(() => this.#reread());
      this.#lock = lock;
    }
    this.#offered.keepOnly(rules.servers);
    for (const [server, items] of this.#offered.entries()) this.#accept(server, items);
    this.#compare();
  }

  watch(server: string, source: Source): Unsubscribe {
    return this.#offered.watch(server, source, (_, items) => {
      // In this order: a server that is accepted now has no differences.
      this.#accept(server, items);
      this.#compare();
    });
  }

  /**
   * Resources are not compared, since they come and go with the data. The gateway's own tools change only with the
   * gateway.
   */
  admits({ kind, ref: { server, tool } }: Target): true | string {
    const name = server === OWN_SERVER_KEY ? undefined : judgedAs(kind, tool);
    return name === undefined ? true : this.#judge(canonicalName({ server, tool: name }));
  }

  #judge(canonical: string): true | string {
    const note = this.#notes.get(canonical);
    if (note?.isWithheld) return note.reason;
    const isUnseen = this.#rules.mode === 'enforce' && !this.#seen.has(canonical);
    return isUnseen ? 'it has not been compared with the lock file' : true;
  }

  admitsText(server: string, text: string): true | string {
    return this.#judge(canonicalName({ server, tool: instructionsItem(text).name }));
  }

  /** The accepted tools of a server; `undefined` if it is not in the lock. */
  accepted(server: string): ReadonlySet<string> | undefined {
    return acceptedIn(this.#lock, server);
  }

  notes(): readonly ToolNote[] {
    return this.#notes.all();
  }

  close(): void {
    this.#unwatch?.();
  }

  /**
   * Accepts the tools of a server that is not in the lock yet, as they are. What is only remembered
   * is not accepted: the server may have changed it since.
   */
  #accept(server: string, items: readonly Item[]): void {
    const lock = this.#lock;
    if (!lock || !this.#rules.servers.includes(server)) return;
    if (!this.#offered.isLive(server)) return;
    if (lock.tools(server)) return this.#complete(lock, server, items);
    const tools = items.filter(({ name }) => judgedKind(name) === 'tool').length;
    const count = tools === 1 ? 'its one tool' : `its ${tools} tools`;
    this.#log('info', `[${server}] is new in ${lock.file}: ${count} accepted as they are`);
    lock.pin(server, items).then(
      // Another gateway may have been faster. Then its entry counts.
      () => this.#compare(),
      (error: Error) => {
        const advice = 'Until it can be, tools are compared with their first definitions.';
        this.#log('warning', `${lock.file} cannot be written: ${error.message}. ${advice}`);
      },
    );
  }

  /** Files of earlier versions hold only parts of definitions. Adds the rest. */
  #complete(lock: ToolLock, server: string, items: readonly Item[]): void {
    if (!lock.isPartial(server, items)) return;
    this.#log('info', `[${server}] ${lock.file} now has the whole definitions of its tools`);
    lock.complete(server, items).catch((error: Error) => {
      this.#log('warning', `${lock.file} cannot be written: ${error.message}.`);
    });
  }

  /**
   * Keeps the open lock if it is the same one: its latest change may not be written yet. Reads it
   * again, since a command may have added a server there before it changed the configuration.
   */
  #lockIn(store: LockStore): ToolLock {
    if (this.#lock?.file !== store.place) return new ToolLock(store);
    this.#lock.reload();
    return this.#lock;
  }

  #reread(): void {
    try {
      if (this.#lock?.reload()) this.#compare();
    } catch (error) {
      this.#log('error', `${(error as Error).message} Its earlier content stays in effect.`);
    }
  }

  #compare(): void {
    const seen = new Set<string>();
    const notes: ToolNote[] = [];
    for (const server of this.#rules.servers) {
      for (const item of this.#offered.get(server)) {
        const ref = { server, tool: item.name };
        seen.add(canonicalName(ref));
        const note = isMarker(item) ? undefined : this.#noteOn(ref, item);
        if (note) notes.push(note);
      }
    }
    this.#seen = seen;
    this.#notes.replace(notes);
    this.#onCompared();
  }

  #noteOn(ref: ToolNote['ref'], item: Item): ToolNote | undefined {
    const standing = this.#lock?.standing(ref.server, item);
    const isWithheld = this.#rules.mode === 'enforce';
    if (this.#lock && !this.#lock.tools(ref.server)) {
      const why = 'its server is not in the lock file yet, and is accepted when it has started';
      return isWithheld ? { ref, about: 'new', reason: why, isWithheld } : undefined;
    }
    const reason = standing && reasonOf(standing, item);
    if (reason === undefined) return undefined;
    return standing?.is === 'changed'
      ? { ref, about: 'changed', reason, difference: standing.difference, isWithheld }
      : { ref, about: 'new', reason, isWithheld };
  }
}

/** Why an item is withheld or reported; `undefined` if it is as it was accepted. */
export function reasonOf(standing: Standing, item: Item): string | undefined {
  if (standing.is === 'new') return 'it was not there when its server was accepted';
  const what = isInstructions(item) ? 'text' : 'definition';
  return standing.is === 'changed' ? `its ${what} has changed since it was accepted` : undefined;
}

/** The accepted tools of a server; `undefined` if it is not in the lock. */
export function acceptedIn(
  lock: ToolLock | undefined,
  server: string,
): ReadonlySet<string> | undefined {
  const tools = lock?.tools(server);
  return tools && new Set([...tools.keys()].filter((name) => judgedKind(name) === 'tool'));
}
