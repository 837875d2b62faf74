/** Applies the quarantine: tools with deceptive names or texts are reported or withheld. */

import type { Item, Log, Slices, Source, Target, Unsubscribe } from '@callsign/core';
import type { Trust } from '@callsign/effects';
import { canonicalName, OWN_SERVER_KEY } from '@callsign/naming';

import { instructionsItem, isInstructions } from './judged-items.js';
import { LastOffers } from './last-offers.js';
import type { QuarantineMode } from './lock-settings.js';
import {
  prepareNames,
  suspiciousNames,
  suspiciousTexts,
  type KnownTool,
  type Suspicions,
} from './quarantine.js';
import { ToolNotes, type ToolNote } from './tool-notes.js';

export interface QuarantineRules {
  readonly mode: QuarantineMode;
  /** The servers of the configuration, in its order. */
  readonly servers: readonly { readonly key: string; readonly trust: Trust }[];
  /** The accepted tools of a server. They keep their names. */
  readonly accepted: (server: string) => ReadonlySet<string> | undefined;
}

/** Servers start together, so texts are checked together. Tools are withheld until then. */
const GATHER_MS = 20;
const UNCHECKED = 'its text has not been checked yet';
/**
 * If nothing is withheld because of a text, the check can wait until clients have their first
 * lists.
 */
const NOTES_AFTER_MS = 2_000;

/** Names are checked at once; texts later, since that takes longer. */
export class QuarantinedTools {
  readonly #offered = new LastOffers(['tool']);
  readonly #notes: ToolNotes;
  #rules: QuarantineRules = { mode: 'off', servers: [], accepted: () => undefined };
  readonly #refresh: () => void;
  #texts: Suspicions = new Map();
  /** Canonical name → the definition that was checked. */
  #checked: ReadonlyMap<string, string> = new Map();
  #timer: NodeJS.Timeout | undefined;
  /** The check that is due or running, and the function that ends it. */
  #checking: Promise<void> | undefined;
  #finish: () => void = () => undefined;

  constructor(log: Log, refresh: () => void) {
    this.#notes = new ToolNotes(log, refresh);
    this.#refresh = refresh;
  }

  apply(rules: QuarantineRules): void {
    const isStricter = rules.mode === 'on' && this.#rules.mode !== 'on';
    this.#rules = rules;
    this.#offered.keepOnly(rules.servers.map(({ key }) => key));
    this.judge();
    if (isStricter && this.#offered.entries().size > 0) this.#checkSoon();
  }

  watch(server: string, source: Source): Unsubscribe {
    const take = (): void => {
      this.judge();
      if (this.#rules.mode !== 'off') this.#checkSoon();
    };
    return this.#offered.watch(server, source, take, (items) => this.#prepare(items));
  }

  /** In mode `on`, nothing of a server is admitted before its text was checked. */
  admits({ kind, canonical, item, ref }: Target): true | string {
    return kind === 'tool' && ref.server !== OWN_SERVER_KEY
      ? this.#judgeOne(canonical, item)
      : true;
  }

  admitsText(server: string, text: string): true | string {
    const item = instructionsItem(text);
    return this.#judgeOne(canonicalName({ server, tool: item.name }), item);
  }

  #judgeOne(canonical: string, item: Item): true | string {
    const note = this.#notes.get(canonical);
    if (note?.isWithheld) return note.reason;
    const isUnchecked = this.#rules.mode === 'on' && this.#checked.get(canonical) !== item.json;
    return isUnchecked ? UNCHECKED : true;
  }

  /** Resolves when every text has been checked. `undefined`: nothing is withheld until then. */
  settled(): Promise<void> | undefined {
    return this.#rules.mode === 'on' ? this.#checking : undefined;
  }

  notes(): readonly ToolNote[] {
    return this.#notes.all();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#finish();
  }

  #checkSoon(): void {
    this.#checking ??= new Promise((resolve) => {
      this.#finish = resolve;
    });
    const isWithholding = this.#rules.mode === 'on';
    this.#timer ??= setTimeout(
      () => void this.#check(),
      isWithholding ? GATHER_MS : NOTES_AFTER_MS,
    ).unref();
  }

  async #check(): Promise<void> {
    const servers = new Map(this.#offered.entries());
    this.#texts = await suspiciousTexts(servers);
    const checked = [...servers].flatMap(([server, items]) =>
      items.map(({ name, json }) => [canonicalName({ server, tool: name }), json] as const),
    );
    // If several tools have one name, the first counts, as everywhere.
    this.#checked = new Map(checked.toReversed());
    this.judge();
    if (this.#rules.mode === 'on') this.#refresh();
    this.#timer = undefined;
    // A list may have changed while its texts were checked.
    const isStale = [...this.#offered.entries()].some(([key, items]) => servers.get(key) !== items);
    if (isStale) return this.#checkSoon();
    this.#checking = undefined;
    this.#finish();
  }

  *#prepare(items: readonly Item[]): Slices<void> {
    if (this.#rules.mode !== 'off') yield* prepareNames(items);
  }

  /** Checks all names again, and writes the notes from names and texts. */
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

  /**
   * All tools that own their name: those that are offered, or were, and those that were accepted.
   */
  #known(): KnownTool[] {
    const { servers, accepted } = this.#rules;
    return servers.flatMap(({ key: server, trust }, rank) =>
      knownOf({ server, trust, rank }, this.#offered.get(server), accepted(server)),
    );
  }
}

/** The tools of one server that own their names: those that it offers, and those in the lock. */
export function knownOf(
  place: Pick<KnownTool, 'server' | 'trust' | 'rank'>,
  items: readonly Item[],
  accepted: ReadonlySet<string> | undefined,
): KnownTool[] {
  const { server, trust, rank } = place;
  const names = new Set<string>();
  for (const item of items) if (!isInstructions(item)) names.add(item.name);
  for (const name of accepted ?? []) names.add(name);
  return Array.from(names, (tool) => {
    return { server, tool, trust, rank, isAccepted: accepted?.has(tool) === true };
  });
}
