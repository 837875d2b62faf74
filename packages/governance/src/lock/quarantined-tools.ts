/** Applies the quarantine: tools with deceptive names or texts are reported or withheld. */

import type { Trust } from '@callsign/annotations';
import type { Log, Source, Target, Unsubscribe } from '@callsign/core';

import type { QuarantineMode } from './lock-settings.js';
import { OfferedTools } from './offered-tools.js';
import { suspiciousNames, suspiciousTexts, type KnownTool, type Suspicions } from './quarantine.js';
import { ToolNotes, type ToolNote } from './tool-notes.js';

export interface QuarantineRules {
  readonly mode: QuarantineMode;
  /** The servers of the configuration, in its order. */
  readonly servers: readonly { readonly key: string; readonly trust: Trust }[];
  /** The accepted tools of a server, which keep their names. */
  readonly accepted: (server: string) => ReadonlySet<string> | undefined;
}

/** Texts are checked once lists are stable: checking is slow, and servers start together. */
const TEXTS_AFTER_MS = 250;
/** Where a suspicion withholds nothing it can wait until clients have their first lists. */
const NOTES_AFTER_MS = 2_000;

export class QuarantinedTools {
  readonly #offered = new OfferedTools();
  readonly #notes: ToolNotes;
  #rules: QuarantineRules = { mode: 'off', servers: [], accepted: () => undefined };
  #texts: Suspicions = new Map();
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Log, refresh: () => void) {
    this.#notes = new ToolNotes(log, refresh);
  }

  apply(rules: QuarantineRules): void {
    this.#rules = rules;
    this.#offered.keepOnly(rules.servers.map(({ key }) => key));
    this.judge();
  }

  watch(server: string, source: Source): Unsubscribe {
    return this.#offered.watch(server, source, () => {
      this.judge();
      if (this.#rules.mode === 'off') return;
      const afterMs = this.#rules.mode === 'on' ? TEXTS_AFTER_MS : NOTES_AFTER_MS;
      this.#timer ??= setTimeout(() => void this.#readTexts(), afterMs).unref();
    });
  }

  admits({ kind, canonical }: Target): true | string {
    const note = kind === 'tool' ? this.#notes.get(canonical) : undefined;
    return note?.isWithheld ? note.reason : true;
  }

  notes(): readonly ToolNote[] {
    return this.#notes.all();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  async #readTexts(): Promise<void> {
    this.#timer = undefined;
    this.#texts = await suspiciousTexts(new Map(this.#offered.entries()));
    this.judge();
  }

  /** Checks all names and texts again. */
  judge(): void {
    const { mode, servers } = this.#rules;
    if (mode === 'off') return this.#notes.replace([]);
    const names = suspiciousNames(this.#known());
    const notes: ToolNote[] = [];
    for (const { key: server } of servers) {
      for (const { name: tool } of this.#offered.get(server)) {
        const ref = { server, tool };
        const canonical = `${server}:${tool}`;
        const [byName, byText] = [names.get(canonical), this.#texts.get(canonical)];
        if (byName !== undefined) {
          const isWithheld = mode === 'names' || mode === 'on';
          notes.push({ ref, about: 'name', reason: byName, isWithheld });
        }
        if (byText !== undefined) {
          notes.push({ ref, about: 'text', reason: byText, isWithheld: mode === 'on' });
        }
      }
    }
    this.#notes.replace(notes);
  }

  /** All tools that own their name: offered now or earlier, or accepted. */
  #known(): KnownTool[] {
    const { servers, accepted } = this.#rules;
    return servers.flatMap(({ key: server, trust }, rank) => {
      const locked = accepted(server);
      const offered = this.#offered.get(server).map(({ name }) => name);
      return Array.from(new Set([...offered, ...(locked ?? [])]), (tool) => {
        return { server, tool, trust, rank, isAccepted: locked?.has(tool) === true };
      });
    });
  }
}
