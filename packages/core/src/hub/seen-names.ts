/** The tools or the prompts that one client may see: their names, definitions and name table. */

import { buildNameTable, type NameTable } from '@callsign/naming';

import { withPages } from '../source/app-pages.js';
import type { Entry } from '../source/entry.js';
import type { Item } from '../call/item.js';
import type { Slices } from '../json/long-json.js';
import type { Catalogue } from '../source/source.js';
import { NameIndex } from './name-index.js';
import type { ResourceIndex } from './resource-index.js';
import { shownItem } from './shown-item.js';
import type { ViewOptions } from './view-options.js';
import type { Lists, VisiblePart } from './visible-part.js';

/** Kinds whose names follow the profile; resources keep their URIs. */
export type NamedKind = 'tool' | 'prompt';

/** One per kind and set of rules. Follows the lists of the catalogue. */
export class SeenNames {
  readonly #kind: NamedKind;
  readonly #catalogue: Catalogue;
  readonly #visible: VisiblePart;
  readonly #options: ViewOptions;
  readonly #index: NameIndex;
  /** Rendered definitions. Unchanged ones are not rendered again. */
  readonly #shown = new WeakMap<Entry, Item>();
  /** The lists in the index. The table and the items below are made of them. */
  #lists: Lists | undefined;
  #table: NameTable | undefined;
  #items: readonly Item[] | undefined;
  /** The moved pages that the items name. */
  #movedPages = '';

  constructor(kind: NamedKind, catalogue: Catalogue, visible: VisiblePart, options: ViewOptions) {
    this.#kind = kind;
    this.#catalogue = catalogue;
    this.#visible = visible;
    this.#options = options;
    const byCanonical = (canonical: string): Entry | undefined => visible.entry(kind, canonical);
    this.#index = new NameIndex({ ...options, byCanonical });
  }

  /** Finds entries by name, in the current lists. */
  get index(): NameIndex {
    this.#current();
    return this.#index;
  }

  /** Renders names and definitions in slices, so that `items` is quick afterwards. */
  *prepare(): Slices<void> {
    yield* this.#index.prepare(this.#visible.of(this.#catalogue.byServer(this.#kind)));
    const { index } = this;
    for (const entry of this.#items ? [] : this.#entries()) {
      const name = index.shownName(entry);
      if (name !== undefined) this.#shownItem(entry, name);
      yield;
    }
  }

  /** Renders many names in slices, so that `index` is quick afterwards. `undefined`: there are few. */
  prepareNames(): Slices<void> | undefined {
    const lists = this.#catalogue.byServer(this.#kind);
    if (lists === this.#lists) return undefined;
    const seen = this.#visible.of(lists);
    return this.#index.lacksMany(seen) ? this.#index.prepare(seen) : undefined;
  }

  /** The definitions for the client; the same array until one of them changes. */
  items(pages: ResourceIndex): readonly Item[] {
    const { index } = this;
    const { movedPages } = pages;
    if (this.#items && movedPages === this.#movedPages) return this.#items;
    this.#movedPages = movedPages;
    this.#items = this.#entries().flatMap((entry) => {
      const name = index.shownName(entry);
      if (name === undefined) return [];
      const item = this.#shownItem(entry, name);
      const { server } = entry.ref;
      if (this.#kind !== 'tool' || !pages.movesPagesOf(server)) return item;
      return { name, json: withPages(item.json, (uri) => pages.pageUri(server, uri)) };
    });
    return this.#items;
  }

  /** The names of a server's tools that ask for them, by the server's own names. */
  namesToTell(server: string): Record<string, string> {
    const { index } = this;
    const asking = this.#entries().filter(
      (entry) => entry.ref.server === server && entry.asksForNames,
    );
    return Object.fromEntries(
      asking.map((entry) => [entry.ref.tool, index.shownName(entry) ?? entry.canonical]),
    );
  }

  /**
   * The names in use, with all problems among them. If they change meanwhile, it is the table of the
   * old ones.
   */
  *table(): Slices<NameTable> {
    const lists = this.#current();
    if (this.#table) return this.#table;
    const refs = this.#entries().map(({ ref }) => ref);
    const table = yield* buildNameTable(refs, this.#options);
    if (lists === this.#lists) this.#table = table;
    return table;
  }

  /** Brings everything up to date with the lists of the catalogue, and returns them. */
  #current(): Lists {
    const lists = this.#catalogue.byServer(this.#kind);
    if (lists === this.#lists) return lists;
    this.#lists = lists;
    this.#table = undefined;
    this.#items = undefined;
    this.#index.update(this.#visible.of(lists));
    return lists;
  }

  #entries(): readonly Entry[] {
    return this.#visible.of(this.#current()).flat();
  }

  #shownItem(entry: Entry, name: string): Item {
    const before = this.#shown.get(entry);
    if (before?.name === name) return before;
    const { titles = true, annotate = false, signsIn = false, sees, mayWait } = this.#options;
    const { hidesOutputSchema = false } = this.#options;
    const definition = (sees && entry.route.seenBy?.(sees)) ?? entry.item;
    const mayBeTask = mayWait?.(entry) === true;
    const shown = { name, titles, annotate, signsIn, mayBeTask, hidesOutputSchema, definition };
    const item = shownItem(entry, shown);
    this.#shown.set(entry, item);
    return item;
  }
}
