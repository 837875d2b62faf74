/** Many Sources as one. Every item has the identity `server:item`. Calls pass the interceptors. */

import {
  canonicalName,
  parseCanonicalName,
  serverKeyProblem,
  type ToolRef,
} from '@callsign/naming';

import { EntryMaker, type HubOptions } from './entry-maker.js';
import { WithheldItems } from './withheld-items.js';
import type { Call } from '../call/call.js';
import type { Entry } from '../source/entry.js';
import type { Era } from '../call/caller.js';
import type { Reply } from '../call/reply.js';
import { byKind, KINDS, type Kind } from '../call/kind.js';
import type { Item } from '../call/item.js';
import { Listeners } from '../source/listeners.js';
import { mergeInstructions } from './merge-instructions.js';
import type {
  Ability,
  Catalogue,
  Offer,
  ServerInstructions,
  ServerSkill,
  Source,
  SourceEvent,
  Unsubscribe,
  WholeCatalogue,
} from '../source/source.js';
import type { Route } from '../call/route.js';

/** A source in the hub, with what was last read from it. */
interface Member {
  readonly source: Source;
  readonly stop: Unsubscribe;
  readonly entries: Record<Kind, readonly Entry[]>;
  /** Pages that tools name and no list has, by URI. Filled on demand. */
  readonly pages: Map<string, Entry>;
}

/** Derived lists of a kind, built on demand and cached until the entries change. */
interface Derived {
  byServer?: readonly (readonly Entry[])[];
  entries?: ReadonlyMap<string, Entry>;
  items?: readonly Item[];
}

/** Notifications that are repeated to servers that join later. */
const LASTING: ReadonlySet<string> = new Set(['logging/setLevel']);

/**
 * Sources are added and removed while clients are connected. Every change is announced to
 * subscribers after it is in `offer`.
 */
export class Hub implements Source {
  readonly #options: HubOptions;
  readonly #entryMaker: EntryMaker;
  readonly #members = new Map<string, Member>();
  readonly #listeners = new Listeners<SourceEvent>();
  /** Updated per server, so that a change of one server costs calls to others nothing. */
  readonly #byCanonical = byKind(() => new Map<string, Entry>());
  readonly #withheld = new WithheldItems();
  readonly whole: WholeCatalogue = this.#withheld.with(this);
  /** The latest of the `LASTING` notifications. */
  readonly #lastingNotifications = new Map<string, string>();
  #order: readonly string[] = [];
  readonly #derived: Record<Kind, Derived> = byKind(() => ({}));
  #abilities: ReadonlySet<Ability> | undefined;
  #offer: Offer | undefined;
  #skills: readonly ServerSkill[] | undefined;

  constructor(options: HubOptions = {}) {
    this.#options = options;
    this.#entryMaker = new EntryMaker(options);
  }

  /** Adds a source under a key, or replaces the source that has this key. */
  set(key: string, source: Source): void {
    const problem = serverKeyProblem(key);
    if (problem !== undefined) throw new RangeError(problem);
    const before = this.#members.get(key);
    before?.stop();
    const stop = source.subscribe((event) => this.#on(key, source, event));
    for (const [method, params] of this.#lastingNotifications) source.tell(method, params);
    // `#read` removes the names of these entries before it adds the new ones.
    const entries = { ...(before?.entries ?? byKind(() => [])) };
    const member: Member = { source, stop, entries, pages: new Map() };
    this.#members.set(key, member);
    this.#changed(this.#read(key, member, KINDS));
    // A successor has started before it got here.
    if (before) this.#listeners.tell({ type: 'started', server: key });
  }

  /** Removes a source. Calls that it has received still get their replies. */
  remove(key: string): void {
    const member = this.#members.get(key);
    if (!member) return;
    member.stop();
    this.#members.delete(key);
    const offered = KINDS.filter((kind) => member.entries[kind].length > 0);
    for (const kind of offered) this.#replace(member, kind, []);
    this.#withheld.remove(key);
    this.#changed(offered);
  }

  /** Sets the order of keys for lists. Other keys come last, in the order of their addition. */
  arrange(keys: readonly string[]): void {
    const before = this.#ordered();
    this.#order = keys;
    const after = this.#ordered();
    if (after.every((member, i) => member === before[i])) return;
    this.#changed(KINDS.filter((kind) => this.#byCanonical[kind].size > 0));
  }

  /** Reads labels and admission rules again for all entries, after a change of either. */
  refresh(): void {
    this.#entryMaker.forget();
    const changed = new Set<Kind>();
    for (const [key, member] of this.#members) {
      for (const kind of this.#read(key, member, KINDS)) changed.add(kind);
    }
    this.#changed([...changed]);
  }

  get catalogue(): Catalogue {
    return this;
  }

  get offer(): Offer {
    return (this.#offer ??= {
      ...byKind((kind) => this.#itemsOf(kind)),
      abilities: this.abilities,
    });
  }

  get instructions(): string | undefined {
    return mergeInstructions(this.serverInstructions);
  }

  get serverSkills(): readonly ServerSkill[] {
    return (this.#skills ??= this.#orderedKeys().flatMap((server) =>
      (this.#members.get(server)!.source.skills ?? []).map((skill) => ({ server, skill })),
    ));
  }

  get serverInstructions(): readonly ServerInstructions[] {
    const { admitsText } = this.#options;
    return this.#orderedKeys().flatMap((server) => {
      const text = this.#members.get(server)!.source.instructions;
      const isShown = text !== undefined && admitsText?.(server, text) !== false;
      return isShown ? { server, text } : [];
    });
  }

  get abilities(): ReadonlySet<Ability> {
    return (this.#abilities ??= this.abilitiesOf(() => true));
  }

  capabilitiesFor(era: Era): readonly string[] {
    return this.capabilitiesOf(era, () => true);
  }

  capabilitiesOf(era: Era, isMeant: (server: string) => boolean): readonly string[] {
    const keys = this.#orderedKeys().filter(isMeant);
    return keys.flatMap((key) => this.#members.get(key)!.source.capabilitiesFor?.(era) ?? []);
  }

  relay(server: string, call: Call): Promise<Reply> | undefined {
    // A member is one server, without a key of its own.
    return this.#members.get(server)?.source.relay?.('', call);
  }

  abilitiesOf(isMeant: (server: string) => boolean): ReadonlySet<Ability> {
    const members = [...this.#members].filter(([key]) => isMeant(key));
    return new Set(members.flatMap(([, { source }]) => [...source.offer.abilities]));
  }

  /** All items of a kind, by canonical name, in the order of the lists. */
  entries(kind: Kind): ReadonlyMap<string, Entry> {
    return (this.#derived[kind].entries ??= new Map(
      this.byServer(kind).flatMap((entries) => entries.map((entry) => [entry.canonical, entry])),
    ));
  }

  byServer(kind: Kind): readonly (readonly Entry[])[] {
    return (this.#derived[kind].byServer ??= this.#ordered().map(({ entries }) => entries[kind]));
  }

  /** One item by its canonical name. */
  entry(kind: Kind, canonical: string): Entry | undefined {
    return this.#byCanonical[kind].get(canonical);
  }

  page(server: string, uri: string): Entry | undefined {
    const member = this.#members.get(server);
    const ref = { server, tool: uri };
    const known = this.entry('resource', canonicalName(ref)) ?? member?.pages.get(uri);
    if (known || !member || !this.admits('resource', ref)) return known;
    const route = member.source.route('resource', uri);
    if (!route) return undefined;
    const page = this.#entryMaker.page(ref, route, member.source);
    if (page) member.pages.set(uri, page);
    return page;
  }

  admits(kind: Kind, ref: ToolRef): boolean {
    return this.#entryMaker.admits(kind, ref);
  }

  whyUnavailable(server: string): string | undefined {
    return this.#members.get(server)?.source.unavailable;
  }

  route(kind: Kind, name: string): Route | undefined {
    const entry = this.entry(kind, name);
    if (entry || kind !== 'resource') return entry?.route;
    const parsed = parseCanonicalName(name);
    return parsed.ok ? this.page(parsed.ref.server, parsed.ref.tool)?.route : undefined;
  }

  subscribe(listener: (event: SourceEvent) => void): Unsubscribe {
    return this.#listeners.add(listener);
  }

  tell(method: string, params: string, to: (server: string) => boolean = () => true): void {
    if (LASTING.has(method)) this.#lastingNotifications.set(method, params);
    for (const [key, { source }] of this.#members) if (to(key)) source.tell(method, params);
  }

  #on(key: string, source: Source, event: SourceEvent): void {
    const member = this.#members.get(key);
    // A source that was replaced or removed may still send events.
    if (member?.source !== source) return;
    if (event.type === 'changing')
      event.prepare(this.#entryMaker.prepare(key, source, event.kinds));
    else if (event.type === 'changed') this.#changed(this.#read(key, member, event.kinds));
    else if (event.type === 'resource-updated') {
      const name = canonicalName({ server: key, tool: event.name ?? event.uri });
      this.#listeners.tell({ ...event, name });
    } else this.#listeners.tell({ ...event, server: key });
  }

  /** Drops derived lists, then announces the change. No kinds: only capabilities changed. */
  #changed(kinds: readonly Kind[]): void {
    for (const kind of kinds) this.#derived[kind] = {};
    this.#abilities = undefined;
    this.#offer = undefined;
    this.#skills = undefined;
    this.#listeners.tell({ type: 'changed', kinds });
  }

  #ordered(): Member[] {
    return this.#orderedKeys().map((key) => this.#members.get(key)!);
  }

  #orderedKeys(): string[] {
    const keys = new Set([...this.#order, ...this.#members.keys()]);
    return [...keys].filter((key) => this.#members.has(key));
  }

  #itemsOf(kind: Kind): readonly Item[] {
    return (this.#derived[kind].items ??= Array.from(
      this.entries(kind).values(),
      ({ canonical, item }) => ({ ...item, name: canonical }),
    ));
  }

  /** Takes a server's current offer. Returns the kinds of which it has, or had, any items. */
  #read(key: string, member: Member, kinds: readonly Kind[]): Kind[] {
    const changed: Kind[] = [];
    member.pages.clear();
    for (const kind of kinds) {
      const before = member.entries[kind];
      const { listed: after, withheld } = this.#entryMaker.list(key, member.source, kind);
      this.#replace(member, kind, after);
      this.#withheld.set(key, kind, withheld);
      if (before.length > 0 || after.length > 0) changed.push(kind);
    }
    this.#entryMaker.forget(key);
    return changed;
  }

  #replace(member: Member, kind: Kind, after: readonly Entry[]): void {
    const byCanonical = this.#byCanonical[kind];
    for (const { canonical } of member.entries[kind]) byCanonical.delete(canonical);
    for (const entry of after) byCanonical.set(entry.canonical, entry);
    member.entries[kind] = after;
  }
}

/** A hub of sources by their keys. */
export function hub(sources: Readonly<Record<string, Source>>, options: HubOptions = {}): Hub {
  const made = new Hub(options);
  for (const [key, source] of Object.entries(sources)) made.set(key, source);
  return made;
}
