/**
 * Makes the entries of a hub: the admitted items of its sources, each with its label and
 * interceptors.
 */

import { displayName, type ToolRef } from '@callsign/naming';

import { createEntry, unlistedPage, type Label } from '../source/create-entry.js';
import type { Entry } from '../source/entry.js';
import type { Interceptor } from '../source/interceptor.js';
import type { Item } from '../call/item.js';
import type { Kind } from '../call/kind.js';
import type { Route } from '../call/route.js';
import type { Slices } from '../json/long-json.js';
import type { Source, Withheld } from '../source/source.js';
import type { Target } from '../call/target.js';

/** The items of a source. */
export interface MadeEntries {
  readonly listed: readonly Entry[];
  readonly withheld: ReadonlyMap<Entry, Withheld>;
}

/**
 * The operator's rules. All are optional: a hub without options lists everything and intercepts
 * nothing. They are asked again on `refresh`.
 */
export interface HubOptions {
  /** Interceptors for every call, or a function that returns them per item. */
  readonly interceptors?: readonly Interceptor[] | ((ref: ToolRef) => readonly Interceptor[]);
  /** The operator's settings for a tool: overrides, trust, title. */
  readonly label?: (ref: ToolRef, item: Item) => Label;
  /** Items that are not admitted are neither listed nor callable. */
  readonly admits?: (kind: Kind, ref: ToolRef) => boolean;
  /** A second check, which sees the item and its label. Asked only about admitted items. */
  readonly withholds?: (target: Target) => Withheld | undefined;
  /** Whether clients may see the instructions of a server. Default: they may. */
  readonly admitsText?: (server: string, text: string) => boolean;
  /** The display name of a server. Default: derived from its key. */
  readonly displayName?: (server: string) => string | undefined;
}

/** Entries that were made before their list is asked for. */
interface Prepared {
  readonly source: Source;
  readonly entries: Map<Item, Entry>;
}

export class EntryMaker {
  readonly #options: HubOptions;
  /** By server. Each is used for one change. */
  readonly #prepared = new Map<string, Prepared>();

  constructor(options: HubOptions) {
    this.#options = options;
  }

  /** By name alone. `withholds` is asked later, once there is an entry. */
  admits(kind: Kind, ref: ToolRef): boolean {
    return this.#options.admits?.(kind, ref) !== false;
  }

  /** Makes entries in slices, so that `list` is quick afterwards. */
  *prepare(key: string, source: Source, kinds: readonly Kind[]): Slices<void> {
    const entries = new Map<Item, Entry>();
    this.#prepared.set(key, { source, entries });
    const shownAs = this.#displayName(key);
    for (const kind of kinds) {
      for (const item of source.offer[kind]) {
        const entry = this.#make(key, source, kind, item, shownAs);
        if (entry) entries.set(item, entry);
        yield;
      }
    }
  }

  /** Drops what was prepared, for one server or because the rules have changed. */
  forget(key?: string): void {
    if (key === undefined) this.#prepared.clear();
    else this.#prepared.delete(key);
  }

  /** The entries of a source. If several items have one name, only the first counts. */
  list(key: string, source: Source, kind: Kind): MadeEntries {
    const shownAs = this.#displayName(key);
    const prepared = this.#prepared.get(key);
    const made = prepared?.source === source ? prepared.entries : undefined;
    const entries = new Map<string, Entry>();
    const withheld = new Map<Entry, Withheld>();
    for (const item of source.offer[kind]) {
      if (entries.has(item.name)) continue;
      const entry = made?.get(item) ?? this.#make(key, source, kind, item, shownAs);
      const why = entry && this.#options.withholds?.(entry);
      if (entry && why) withheld.set(entry, why);
      else if (entry) entries.set(item.name, entry);
    }
    return { listed: [...entries.values()], withheld };
  }

  /** `undefined`: it is not admitted, or has no route. */
  #make(key: string, source: Source, kind: Kind, item: Item, shownAs: string): Entry | undefined {
    const route = source.route(kind, item.name);
    const ref = { server: key, tool: item.name };
    if (!route || !(route.isSignIn || this.admits(kind, ref))) return undefined;
    const label = kind === 'tool' ? this.#options.label?.(ref, item) : undefined;
    const interceptors = this.#interceptorsOf(ref);
    const { account } = source;
    const options = { kind, ref, item, route, label, displayName: shownAs };
    return createEntry({ ...options, account, interceptors });
  }

  /** The entry of a page that is in no list; `undefined` if it is withheld. */
  page(ref: ToolRef, route: Route, { account }: Source): Entry | undefined {
    const interceptors = this.#interceptorsOf(ref);
    const shownAs = this.#displayName(ref.server);
    const page = unlistedPage(ref, route, shownAs, { account, interceptors });
    return this.#options.withholds?.(page) ? undefined : page;
  }

  #displayName(key: string): string {
    return displayName(key, this.#options.displayName?.(key));
  }

  #interceptorsOf(ref: ToolRef): readonly Interceptor[] {
    const { interceptors = [] } = this.#options;
    return typeof interceptors === 'function' ? interceptors(ref) : interceptors;
  }
}
