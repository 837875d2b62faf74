/** Finds entries by name under one client's rules. Updated list by list. */

import {
  canonicalName,
  createFormerNames,
  createFormerReader,
  createNameReader,
  createNameTable,
  createToolRenderer,
} from '@callsign/naming';
import type { NameTable, NameTableOptions, ToolRef } from '@callsign/naming';

import type { Slices } from '../json/long-json.js';
import type { Entry } from '../source/entry.js';

/** Fewer names are rendered at once. */
const MANY = 200;

export interface NameIndexOptions extends NameTableOptions {
  /** Finds any visible entry by its canonical name. */
  readonly byCanonical: (canonical: string) => Entry | undefined;
}

/**
 * Gives the same answers as a name table of all entries, but updates only the lists that changed.
 */
export class NameIndex {
  readonly #options: NameIndexOptions;
  readonly #render: ReturnType<typeof createToolRenderer>;
  readonly #formerName: ReturnType<typeof createFormerNames>;
  readonly #readFormer: ReturnType<typeof createFormerReader>;
  /** The names with the key before them, which tools had before they were shown by their own name. */
  readonly #withKey: ReturnType<typeof createToolRenderer>;
  readonly #readWithKey: ReturnType<typeof createNameReader>;
  #lists: ReadonlySet<readonly Entry[]> = new Set();
  /** The names of entries that are not in the lists yet. */
  readonly #prepared = new Map<Entry, string>();
  readonly #names = new Map<Entry, string>();
  readonly #byName = new Map<string, readonly Entry[]>();
  /** For aliases and renamed keys only. Built on demand. */
  #table: NameTable | undefined;
  /** The names that earlier versions gave. Built on demand. */
  #former: ReadonlyMap<string, Entry> | undefined;

  constructor(options: NameIndexOptions) {
    this.#options = options;
    this.#render = createToolRenderer(options);
    this.#formerName = createFormerNames(options);
    this.#readFormer = createFormerReader(options);
    const withoutKeys = { ...options, keys: [] };
    this.#withKey = createToolRenderer(withoutKeys);
    this.#readWithKey = createNameReader(withoutKeys);
  }

  /** Whether so many names have to be rendered that it should be done in slices. */
  lacksMany(lists: Iterable<readonly Entry[]>): boolean {
    let missing = 0;
    for (const list of lists) {
      // They are rendered in order.
      const isReady = list.length === 0 || this.#prepared.has(list.at(-1)!);
      if (!isReady && !this.#lists.has(list)) missing += list.length;
    }
    return missing > MANY;
  }

  /** Renders the names in slices, so that `update` with these lists is quick. */
  *prepare(lists: Iterable<readonly Entry[]>): Slices<void> {
    for (const list of lists) {
      for (const entry of list) {
        if (this.#lists.has(list)) break;
        if (this.#prepared.has(entry)) continue;
        this.#prepared.set(entry, this.#nameOf(entry));
        yield;
      }
    }
  }

  /**
   * Sets the current lists. Compares lists by identity: a list that is still the same array is
   * kept.
   */
  update(lists: Iterable<readonly Entry[]>): void {
    const before = this.#lists;
    this.#lists = new Set(lists);
    this.#table = undefined;
    this.#former = undefined;
    for (const list of before) {
      if (!this.#lists.has(list)) for (const entry of list) this.#drop(entry);
    }
    for (const list of this.#lists) {
      if (!before.has(list)) for (const entry of list) this.#add(entry);
    }
    this.#prepared.clear();
  }

  /** Finds an entry by the name that the client sees (one look-up), or by the canonical name. */
  find(spelling: string): Entry | undefined {
    const named = this.#byName.get(spelling);
    // A name that several entries share finds none of them.
    if (named) return named.length === 1 ? named[0] : undefined;
    const entry = this.#options.byCanonical(spelling);
    return entry && this.#names.has(entry) ? entry : undefined;
  }

  /**
   * Finds an entry by an alias, by its name under an old key, or by the name of an earlier version.
   * Slower than `find`; ask that first.
   */
  findOther(spelling: string): { readonly entry: Entry; readonly isOld: boolean } | undefined {
    if (this.#byName.has(spelling)) return undefined;
    this.#table ??= createNameTable(this.#othersNamed(), this.#options);
    const found = this.#table.find(spelling);
    if (found) {
      const entry = this.#options.byCanonical(found.tool.canonical)!;
      return { entry, isOld: found.as === 'renamed' };
    }
    const entry = this.#findFormer(spelling);
    return entry && { entry, isOld: false };
  }

  /**
   * The name to show: the client's, or else the canonical one. `undefined`: neither finds the
   * entry, so it must not be listed.
   */
  shownName(entry: Entry): string | undefined {
    const name = this.#names.get(entry);
    if (name === undefined || this.find(name) === entry) return name;
    return this.find(entry.canonical) === entry ? entry.canonical : undefined;
  }

  #add(entry: Entry): void {
    // A tool without a name has no identity, so no call can reach it.
    if (entry.ref.tool === '') return;
    const name = this.#prepared.get(entry) ?? this.#nameOf(entry);
    this.#names.set(entry, name);
    this.#byName.set(name, [...(this.#byName.get(name) ?? []), entry]);
  }

  #nameOf({ ref }: Entry): string {
    return ref.server === '' || ref.tool === '' ? ref.tool : this.#render(ref).name;
  }

  #drop(entry: Entry): void {
    const name = this.#names.get(entry);
    if (name === undefined) return;
    this.#names.delete(entry);
    const others = this.#byName.get(name)!.filter((other) => other !== entry);
    if (others.length > 0) this.#byName.set(name, others);
    else this.#byName.delete(name);
  }

  /** Most names show which entry they can belong to. Then no other former name is rendered. */
  #findFormer(spelling: string): Entry | undefined {
    const named = this.#readWithKey(spelling);
    const known = named && this.#options.byCanonical(canonicalName(named));
    if (known && this.#names.has(known)) return known;
    const ref = this.#readFormer(spelling);
    if (ref === undefined) return undefined;
    if (ref === 'unclear') return (this.#former ??= this.#formerNames()).get(spelling);
    const entry = this.#options.byCanonical(canonicalName(ref));
    const isKnown = entry && this.#names.has(entry) && this.#formerName(ref) === spelling;
    return isKnown ? entry : undefined;
  }

  #formerNames(): Map<string, Entry> {
    return new Map(
      [...this.#names.keys()].flatMap((entry): [string, Entry][] => [
        [this.#withKey(entry.ref).name, entry],
        [this.#formerName(entry.ref), entry],
      ]),
    );
  }

  /** The targets of aliases, and all items of servers that had another key. */
  #othersNamed(): ToolRef[] {
    const { aliases = {}, renamed = {}, byCanonical } = this.#options;
    const keys = new Set(Object.values(renamed));
    const moved = [...this.#lists].filter((list) => keys.has(list[0]?.ref.server ?? ''));
    const targets = Object.values(aliases).flatMap((target) => byCanonical(target) ?? []);
    return [...moved.flat(), ...targets].map(({ ref }) => ref);
  }
}
