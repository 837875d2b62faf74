/** Many Sources as one. Every item has the identity `server:item`; calls go through the interceptors. */

import { canonicalName, displayName, serverKeyProblem, type ToolRef } from '@callsign/naming';

import { createEntry, type Label } from '../source/create-entry.js';
import type { Entry } from '../source/entry.js';
import type { Interceptor } from '../source/interceptor.js';
import { byKind, KINDS, type Kind } from '../call/kind.js';
import type { Item } from '../call/item.js';
import { mergeInstructions } from './merge-instructions.js';
import type {
  Ability,
  Catalogue,
  Offer,
  ServerInstructions,
  Source,
  SourceEvent,
  Unsubscribe,
} from '../source/source.js';
import type { Route } from '../call/route.js';
import type { Target } from '../call/target.js';

export interface HubOptions {
  /** Interceptors for every call, or a function that returns them per item. */
  readonly interceptors?: readonly Interceptor[] | ((ref: ToolRef) => readonly Interceptor[]);
  /** The operator's overrides for a tool. */
  readonly label?: (ref: ToolRef, item: Item) => Label;
  /** Items that are not admitted are neither listed nor callable. */
  readonly admits?: (kind: Kind, ref: ToolRef) => boolean;
  /** A second check, which sees the item and its label. Asked only for admitted items. */
  readonly withholds?: (target: Target) => boolean;
  /** Whether clients may read the instructions of a server. Unset: they may. */
  readonly admitsText?: (server: string, text: string) => boolean;
  /** The display name of a server. Unset: derived from its key. */
  readonly displayName?: (server: string) => string | undefined;
}

interface Member {
  readonly source: Source;
  readonly stop: Unsubscribe;
  readonly entries: Record<Kind, readonly Entry[]>;
}

/** Derived lists of a kind, built on demand and cached until the entries change. */
interface Made {
  byServer?: readonly (readonly Entry[])[];
  entries?: ReadonlyMap<string, Entry>;
  items?: readonly Item[];
}

/** Notifications that are repeated to servers that join later. */
const LASTING: ReadonlySet<string> = new Set(['logging/setLevel']);

export class Hub implements Source {
  readonly #options: HubOptions;
  readonly #members = new Map<string, Member>();
  readonly #listeners = new Set<(event: SourceEvent) => void>();
  /** Updated per server, so that a change of one server costs calls to others nothing. */
  readonly #byCanonical = byKind(() => new Map<string, Entry>());
  /** The latest of the `LASTING` notifications. */
  readonly #told = new Map<string, string>();
  #order: readonly string[] = [];
  readonly #made: Record<Kind, Made> = byKind(() => ({}));
  #abilities: ReadonlySet<Ability> | undefined;
  #offer: Offer | undefined;

  constructor(options: HubOptions = {}) {
    this.#options = options;
  }

  /** Adds a source under a key, or replaces the one that has this key. */
  set(key: string, source: Source): void {
    const problem = serverKeyProblem(key);
    if (problem !== undefined) throw new RangeError(problem);
    const before = this.#members.get(key);
    before?.stop();
    const stop = source.subscribe((event) => this.#on(key, source, event));
    for (const [method, params] of this.#told) source.tell(method, params);
    const member = { source, stop, entries: { ...(before?.entries ?? byKind(() => [])) } };
    this.#members.set(key, member);
    this.#changed(this.#read(key, member, KINDS));
  }

  remove(key: string): void {
    const member = this.#members.get(key);
    if (!member) return;
    member.stop();
    this.#members.delete(key);
    const offered = KINDS.filter((kind) => member.entries[kind].length > 0);
    for (const kind of offered) this.#replace(member, kind, []);
    this.#changed(offered);
  }

  /** Lists follow this order of keys. Other keys come last, in the order in which they were added. */
  arrange(keys: readonly string[]): void {
    const before = this.#ordered();
    this.#order = keys;
    const after = this.#ordered();
    if (after.every((member, i) => member === before[i])) return;
    this.#changed(KINDS.filter((kind) => this.#byCanonical[kind].size > 0));
  }

  /** Reads labels and admission rules again for all entries. */
  refresh(): void {
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

  abilitiesOf(isMeant: (server: string) => boolean): ReadonlySet<Ability> {
    const members = [...this.#members].filter(([key]) => isMeant(key));
    return new Set(members.flatMap(([, { source }]) => [...source.offer.abilities]));
  }

  /** Everything of one kind, by canonical name, in order. */
  entries(kind: Kind): ReadonlyMap<string, Entry> {
    return (this.#made[kind].entries ??= new Map(
      this.byServer(kind).flatMap((entries) => entries.map((entry) => [entry.canonical, entry])),
    ));
  }

  /** Everything of one kind, a list for each server; the same lists until something in them changes. */
  byServer(kind: Kind): readonly (readonly Entry[])[] {
    return (this.#made[kind].byServer ??= this.#listsOf(kind));
  }

  /** One item by its canonical name. */
  entry(kind: Kind, canonical: string): Entry | undefined {
    return this.#byCanonical[kind].get(canonical);
  }

  admits(kind: Kind, ref: ToolRef): boolean {
    return this.#options.admits?.(kind, ref) !== false;
  }

  whyUnavailable(server: string): string | undefined {
    return this.#members.get(server)?.source.unavailable;
  }

  route(kind: Kind, name: string): Route | undefined {
    return this.entry(kind, name)?.route;
  }

  subscribe(listener: (event: SourceEvent) => void): Unsubscribe {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(method: string, params: string, to: (server: string) => boolean = () => true): void {
    if (LASTING.has(method)) this.#told.set(method, params);
    for (const [key, { source }] of this.#members) if (to(key)) source.tell(method, params);
  }

  #on(key: string, source: Source, event: SourceEvent): void {
    const member = this.#members.get(key);
    if (member?.source !== source) return;
    if (event.type === 'changed') this.#changed(this.#read(key, member, event.kinds));
    else if (event.type === 'resource-updated') {
      const name = canonicalName({ server: key, tool: event.name ?? event.uri });
      this.#emit({ ...event, name });
    } else this.#emit({ ...event, server: key });
  }

  /** Announces a change, of lists or of other capabilities. */
  #changed(kinds: readonly Kind[]): void {
    for (const kind of kinds) this.#made[kind] = {};
    this.#abilities = undefined;
    this.#offer = undefined;
    this.#emit({ type: 'changed', kinds });
  }

  #emit(event: SourceEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  #ordered(): Member[] {
    return this.#orderedKeys().map((key) => this.#members.get(key)!);
  }

  #orderedKeys(): string[] {
    const keys = new Set([...this.#order, ...this.#members.keys()]);
    return [...keys].filter((key) => this.#members.has(key));
  }

  #listsOf(kind: Kind): readonly (readonly Entry[])[] {
    return this.#ordered().map(({ entries }) => entries[kind]);
  }

  #itemsOf(kind: Kind): readonly Item[] {
    return (this.#made[kind].items ??= Array.from(
      this.entries(kind).values(),
      ({ canonical, item }) => ({ ...item, name: canonical }),
    ));
  }

  /** Takes a server's current offer. Returns the kinds of which the server has, or had, any items. */
  #read(key: string, member: Member, kinds: readonly Kind[]): Kind[] {
    const changed: Kind[] = [];
    for (const kind of kinds) {
      const before = member.entries[kind];
      const after = this.#entriesOf(key, member.source, kind);
      this.#replace(member, kind, after);
      if (before.length > 0 || after.length > 0) changed.push(kind);
    }
    return changed;
  }

  #replace(member: Member, kind: Kind, after: readonly Entry[]): void {
    const byCanonical = this.#byCanonical[kind];
    for (const { canonical } of member.entries[kind]) byCanonical.delete(canonical);
    for (const entry of after) byCanonical.set(entry.canonical, entry);
    member.entries[kind] = after;
  }

  /** Only the first of several items with one name counts. */
  #entriesOf(key: string, source: Source, kind: Kind): readonly Entry[] {
    const shownAs = displayName(key, this.#options.displayName?.(key));
    const entries = new Map<string, Entry>();
    for (const item of source.offer[kind]) {
      const route = entries.has(item.name) ? undefined : source.route(kind, item.name);
      const ref = { server: key, tool: item.name };
      if (!route || !this.admits(kind, ref)) continue;
      const label = kind === 'tool' ? this.#options.label?.(ref, item) : undefined;
      const entry = createEntry({
        kind,
        ref,
        item,
        route,
        label,
        displayName: shownAs,
        interceptors: this.#interceptorsOf(ref),
      });
      if (!this.#options.withholds?.(entry)) entries.set(item.name, entry);
    }
    return [...entries.values()];
  }

  #interceptorsOf(ref: ToolRef): readonly Interceptor[] {
    const { interceptors = [] } = this.#options;
    return typeof interceptors === 'function' ? interceptors(ref) : interceptors;
  }
}

/** A hub of sources by their keys. */
export function hub(sources: Readonly<Record<string, Source>>, options: HubOptions = {}): Hub {
  const made = new Hub(options);
  for (const [key, source] of Object.entries(sources)) made.set(key, source);
  return made;
}
