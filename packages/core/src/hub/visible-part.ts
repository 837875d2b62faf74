/** The part of a catalogue that one client may see, and what of it the client was last told. */

import type { Entry } from '../source/entry.js';
import { byKind, KINDS, type Kind } from '../call/kind.js';
import type { Sight } from '../call/sight.js';
import type { Ability, Catalogue, Outline } from '../source/source.js';

/** The entries of a kind: one list per server. */
export type Lists = readonly (readonly Entry[])[];

/** Per kind: entries, or definitions as text. Compared by identity. */
type Announced = Readonly<Partial<Record<Kind, readonly unknown[]>>>;

/** One per view and set of rules. A view whose rules change gets a new one. */
export class VisiblePart {
  /** Default: everything is visible. */
  readonly sees: Sight | undefined;
  readonly #catalogue: Catalogue;
  readonly #lists = new WeakMap<readonly Entry[], readonly Entry[]>();
  readonly #abilities = new WeakMap<ReadonlySet<Ability>, ReadonlySet<Ability>>();
  /** The items at the last announcement. Missing if the client was told of everything. */
  #announced: Announced | undefined;

  /**
   * `before`: the part under the earlier rules. The next change is compared with what it announced.
   */
  constructor(catalogue: Catalogue, sees: Sight | undefined, before?: VisiblePart) {
    this.sees = sees;
    this.#catalogue = catalogue;
    if (before) this.#announced = before.#announced;
    else if (sees) this.#announced = this.#now();
  }

  /**
   * Whether the client may see an item. A tool that shows other tools must have one that may be
   * seen.
   */
  has(entry: Entry): boolean {
    const { sees } = this;
    if (!sees) return true;
    return sees(entry) && (!entry.route.seenBy || entry.route.seenBy(sees) !== undefined);
  }

  /** An item by its canonical name, if the client may see it. */
  entry(kind: Kind, canonical: string): Entry | undefined {
    const entry = this.#catalogue.entry(kind, canonical);
    return entry && this.has(entry) ? entry : undefined;
  }

  /**
   * The visible part of each list. The same input list gives the same array, so callers can skip
   * unchanged lists.
   */
  of(lists: Lists): Lists {
    return this.sees ? lists.map((list) => this.#of(list)) : lists;
  }

  /** Whether the client may see anything of a server. */
  hasServer(server: string): boolean {
    if (!this.sees) return true;
    const isSeen = (list: readonly Entry[]): boolean =>
      list[0]?.ref.server === server && this.#of(list).length > 0;
    const lists = KINDS.flatMap((kind) => this.#catalogue.byServer(kind));
    return lists.some(isSeen) || (this.#catalogue.behind?.().some(isSeen) ?? false);
  }

  /** A tool that the client may see and that is reached through a listed tool. */
  behind(canonical: string): Entry | undefined {
    const all = this.#catalogue.behind?.().flat() ?? [];
    return all.find((entry) => entry.canonical === canonical && this.has(entry));
  }

  /** The capabilities of the servers that the client may see. */
  abilities(): ReadonlySet<Ability> {
    const all = this.#catalogue.abilities;
    if (!this.sees) return all;
    const own =
      this.#abilities.get(all) ?? this.#catalogue.abilitiesOf((server) => this.hasServer(server));
    this.#abilities.set(all, own);
    return own;
  }

  outline(): Outline {
    const isOffered = (kind: Kind): boolean =>
      this.of(this.#catalogue.byServer(kind)).some((list) => list.length > 0);
    return { kinds: new Set(KINDS.filter(isOffered)), abilities: this.abilities() };
  }

  /**
   * The kinds, of those given, in which something changed for this client. Remembers their current
   * state, so call it once per announcement.
   */
  changed(kinds: readonly Kind[]): readonly Kind[] {
    const before = this.#announced;
    if (!this.sees && !before) return kinds;
    const now = this.#now();
    const changed = Object.fromEntries(kinds.map((kind) => [kind, now[kind]]));
    this.#announced = this.sees ? { ...before, ...changed } : undefined;
    return kinds.filter((kind) => !isSame(before?.[kind], now[kind]));
  }

  #of(list: readonly Entry[]): readonly Entry[] {
    const seen = this.#lists.get(list) ?? list.filter((entry) => this.has(entry));
    this.#lists.set(list, seen);
    return seen;
  }

  /**
   * A tool that shows other tools has changed for this client only if its definition for the client
   * has.
   */
  #now(): Readonly<Record<Kind, readonly unknown[]>> {
    const { sees } = this;
    const shownOf = (entry: Entry): unknown =>
      sees && entry.route.seenBy ? entry.route.seenBy(sees)?.json : entry;
    return byKind((kind) => this.of(this.#catalogue.byServer(kind)).flat().map(shownOf));
  }
}

function isSame(a: readonly unknown[] | undefined, b: readonly unknown[]): boolean {
  return a?.length === b.length && a.every((item, i) => item === b[i]);
}
