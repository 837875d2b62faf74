/** Which tools are let in: those as they were accepted, and none that deceives. */

import { isDeepStrictEqual } from 'node:util';

import type { Trust } from '@callsign/annotations';
import type { Item, Kind, Source, Unsubscribe } from '@callsign/core';
import { canonicalName, type ToolRef } from '@callsign/naming';

import { watchConfig, type ConfigWatch } from '@callsign/config';
import type { Log } from '@callsign/core';
import { visibleLetters } from '@callsign/core';
import { suspiciousNames, suspiciousTexts, type KnownTool, type Suspicions } from './quarantine.js';
import { TrustLock } from './trust-lock.js';
import type { QuarantineMode, TrustMode } from './trust-settings.js';

export interface AdmissionRules {
  /** The servers of the configuration, in its order. */
  readonly servers: readonly KnownServer[];
  readonly trust: TrustMode;
  readonly quarantine: QuarantineMode;
  /** Beside the configuration; only opened where definitions are held against it. */
  readonly lockFile: string;
}

/** A tool about which there is something to say. */
export interface AdmissionNote {
  readonly ref: ToolRef;
  readonly about: 'changed' | 'new' | 'name' | 'text';
  readonly reason: string;
  /** What has changed, line by line. */
  readonly difference?: readonly string[];
  /** Neither listed nor callable; otherwise it is only reported. */
  readonly isWithheld: boolean;
}

interface KnownServer {
  readonly key: string;
  readonly trust: Trust;
}

const NO_RULES: AdmissionRules = { servers: [], trust: 'off', quarantine: 'off', lockFile: '' };
/** Texts are read when lists have come to rest: that takes long, and servers start together. */
const TEXTS_AFTER_MS = 250;

export class Admission {
  readonly #log: Log;
  readonly #listeners = new Set<() => void>();
  /** What each server offered last, also while it is away: its names are still its own. */
  readonly #offers = new Map<string, readonly Item[]>();
  #rules: AdmissionRules = NO_RULES;
  #lock: TrustLock | undefined;
  #lockWatch: ConfigWatch | undefined;
  #texts: Suspicions = new Map();
  /** Every tool that was looked at, and what there is to say of some. */
  #judged: ReadonlySet<string> = new Set();
  #notes: ReadonlyMap<string, AdmissionNote> = new Map();
  #textTimer: NodeJS.Timeout | undefined;
  #isTelling = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /**
   * Goes by these rules from now on. What is known of servers that they do not name is forgotten. Throws
   * if the lock file cannot be read, and then nothing has changed.
   */
  apply(rules: AdmissionRules): void {
    const { servers, trust, lockFile } = rules;
    const lock = trust === 'off' ? undefined : this.#lockAt(lockFile);
    this.#rules = rules;
    if (lock !== this.#lock) {
      this.#lockWatch?.close();
      this.#lockWatch = lock && watchConfig(lockFile, () => this.#reload());
      this.#lock = lock;
    }
    const keys = new Set(servers.map(({ key }) => key));
    for (const key of this.#offers.keys()) if (!keys.has(key)) this.#offers.delete(key);
    for (const [server, items] of this.#offers) this.#pin(server, items);
    this.#judge();
  }

  /** Follows what a server offers. To be called before the hub follows it, so that the hub finds it judged. */
  watch(server: string, source: Source): Unsubscribe {
    this.#take(server, source.offer.tool);
    return source.subscribe((event) => {
      if (event.type !== 'changed' || !event.kinds.includes('tool')) return;
      this.#take(server, source.offer.tool);
    });
  }

  /** True, or the reason for which a tool is withheld. */
  admits(kind: Kind, ref: ToolRef): true | string {
    if (kind !== 'tool') return true;
    const name = canonicalName(ref);
    const note = this.#notes.get(name);
    if (note?.isWithheld) return note.reason;
    const isUnseen = this.#rules.trust === 'enforce' && !this.#judged.has(name);
    return isUnseen ? 'it has not been looked at' : true;
  }

  /** Everything that there is to say, in order. */
  report(): readonly AdmissionNote[] {
    return [...this.#notes.values()];
  }

  /** Tells that tools have been let in or withheld besides those of the server that changed. */
  subscribe(listener: () => void): Unsubscribe {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    clearTimeout(this.#textTimer);
    this.#lockWatch?.close();
    this.#listeners.clear();
  }

  #take(server: string, items: readonly Item[]): void {
    // A server that is down offers nothing; that takes nothing back.
    if (items.length === 0) return;
    this.#offers.set(server, items);
    this.#pin(server, items);
    this.#judge();
    if (this.#rules.quarantine === 'off') return;
    this.#textTimer ??= setTimeout(() => void this.#readTexts(), TEXTS_AFTER_MS).unref();
  }

  async #readTexts(): Promise<void> {
    this.#textTimer = undefined;
    this.#texts = await suspiciousTexts(new Map(this.#offers));
    this.#judge();
  }

  /** A server that is seen for the first time is taken at its word, and held to it from then on. */
  #pin(server: string, items: readonly Item[]): void {
    const lock = this.#lock;
    const isConfigured = this.#rules.servers.some(({ key }) => key === server);
    if (!lock || !isConfigured || lock.tools(server)) return;
    const count = items.length === 1 ? 'its one tool' : `its ${items.length} tools`;
    this.#log('info', `[${server}] is new in ${lock.file}: ${count} accepted as they are`);
    lock.pin(server, items).then(
      // Another gateway may have been first, and then its word holds.
      () => this.#judge(),
      (error: Error) => {
        const advice = 'Until it can be, tools are held against this first sight of them alone.';
        this.#log('warning', `${lock.file} cannot be written: ${error.message}. ${advice}`);
      },
    );
  }

  /** The one that is open stays: what it was told last may not be on disk yet. */
  #lockAt(file: string): TrustLock {
    return this.#lock?.file === file ? this.#lock : new TrustLock(file);
  }

  #reload(): void {
    try {
      if (this.#lock?.reload()) this.#judge();
    } catch (error) {
      this.#log('error', `${(error as Error).message} What it said before holds on.`);
    }
  }

  #judge(): void {
    const before = this.#notes;
    const notes = new Map<string, AdmissionNote>();
    const judged = new Set<string>();
    const { servers, quarantine } = this.#rules;
    const names = quarantine === 'off' ? new Map() : suspiciousNames(this.#known());
    for (const { key: server } of servers) {
      for (const item of this.#offers.get(server) ?? []) {
        const ref = { server, tool: item.name };
        judged.add(canonicalName(ref));
        const note = this.#noteOn(ref, item, names);
        if (note) notes.set(canonicalName(ref), note);
      }
    }
    this.#notes = notes;
    this.#judged = judged;
    for (const [name, note] of notes) {
      if (!isDeepStrictEqual(before.get(name), note)) this.#say(note);
    }
    if (!isDeepStrictEqual(withheldIn(before), withheldIn(notes))) this.#tellSoon();
  }

  /** The first of what withholds it; if nothing does, the first that there is to say. */
  #noteOn(ref: ToolRef, item: Item, names: Suspicions): AdmissionNote | undefined {
    const notes = [...this.#notesOn(ref, item, names)];
    return notes.find(({ isWithheld }) => isWithheld) ?? notes[0];
  }

  *#notesOn(ref: ToolRef, item: Item, names: Suspicions): Generator<AdmissionNote> {
    const { trust, quarantine } = this.#rules;
    const name = canonicalName(ref);
    const byName = names.get(name);
    if (byName !== undefined) {
      const isWithheld = quarantine === 'names' || quarantine === 'on';
      yield { ref, about: 'name', reason: byName, isWithheld };
    }
    const standing = this.#lock?.standing(ref.server, item);
    const isWithheld = trust === 'enforce';
    if (standing?.is === 'changed') {
      const reason = 'its definition has changed since it was accepted';
      yield { ref, about: 'changed', reason, difference: standing.difference, isWithheld };
    } else if (standing?.is === 'new') {
      const reason = 'it was not there when its server was accepted';
      yield { ref, about: 'new', reason, isWithheld };
    }
    const byText = quarantine === 'off' ? undefined : this.#texts.get(name);
    if (byText !== undefined) {
      yield { ref, about: 'text', reason: byText, isWithheld: quarantine === 'on' };
    }
  }

  /** Every tool that has a right to its name: offered now or before, or accepted. */
  #known(): KnownTool[] {
    return this.#rules.servers.flatMap(({ key: server, trust }, rank) => {
      const offered = new Map(this.#offers.get(server)?.map((item) => [item.name, item]));
      const locked = this.#lock?.tools(server);
      return Array.from(new Set([...offered.keys(), ...(locked?.keys() ?? [])]), (tool) => ({
        server,
        tool,
        trust,
        rank,
        isAccepted: locked?.has(tool) === true,
      }));
    });
  }

  #say({ ref, reason, difference, isWithheld }: AdmissionNote): void {
    const name = visibleLetters(canonicalName(ref));
    const advice = difference ? `; see: callsign trust diff ${ref.server}` : '';
    this.#log('warning', `${name} is ${isWithheld ? 'withheld' : 'suspect'}: ${reason}${advice}`);
  }

  /** Once for all that changes together. */
  #tellSoon(): void {
    if (this.#isTelling) return;
    this.#isTelling = true;
    queueMicrotask(() => {
      this.#isTelling = false;
      for (const listener of this.#listeners) listener();
    });
  }
}

function withheldIn(notes: ReadonlyMap<string, AdmissionNote>): Set<string> {
  return new Set([...notes].filter(([, { isWithheld }]) => isWithheld).map(([name]) => name));
}
