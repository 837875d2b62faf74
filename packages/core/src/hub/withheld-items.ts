/** The items of a hub that are not offered, and a catalogue of everything. For calls that name them. */

import type { Entry } from '../source/entry.js';
import { byKind, type Kind } from '../call/kind.js';
import type { Catalogue, WholeCatalogue, Withheld } from '../source/source.js';

type Lists = readonly (readonly Entry[])[];

interface Named {
  readonly entry: Entry;
  readonly why: Withheld;
}

export class WithheldItems {
  /** By kind and server. Servers that offer everything are not in it. */
  readonly #lists = byKind(() => new Map<string, readonly Entry[]>());
  readonly #byCanonical = byKind(() => new Map<string, Named>());
  #whys: Readonly<Record<Kind, ReadonlySet<Withheld>>> = byKind(() => new Set());
  /** Per kind: the lists of everything, and the offered ones among them. */
  readonly #whole: Partial<Record<Kind, { readonly offered: Lists; readonly all: Lists }>> = {};

  set(server: string, kind: Kind, items: ReadonlyMap<Entry, Withheld>): void {
    const byCanonical = this.#byCanonical[kind];
    const before = this.#lists[kind].get(server);
    if (!before && items.size === 0) return;
    for (const { canonical } of before ?? []) byCanonical.delete(canonical);
    for (const [entry, why] of items) byCanonical.set(entry.canonical, { entry, why });
    if (items.size === 0) this.#lists[kind].delete(server);
    else this.#lists[kind].set(server, [...items.keys()]);
    const whys = new Set(Array.from(byCanonical.values(), ({ why }) => why));
    this.#whys = { ...this.#whys, [kind]: whys };
    delete this.#whole[kind];
  }

  remove(server: string): void {
    for (const kind of Object.keys(this.#lists) as Kind[]) this.set(server, kind, new Map());
  }

  /** A catalogue with these items too. */
  with(offered: Catalogue): WholeCatalogue {
    return {
      get abilities() {
        return offered.abilities;
      },
      get serverInstructions() {
        return offered.serverInstructions;
      },
      get serverSkills() {
        return offered.serverSkills;
      },
      capabilitiesOf: (era, isMeant) => offered.capabilitiesOf(era, isMeant),
      relay: (server, call) => offered.relay(server, call),
      abilitiesOf: (isMeant) => offered.abilitiesOf(isMeant),
      page: (server, uri) => offered.page(server, uri),
      admits: (kind, ref) => offered.admits(kind, ref),
      byServer: (kind) => this.#all(kind, offered.byServer(kind)),
      entry: (kind, canonical) =>
        offered.entry(kind, canonical) ?? this.#byCanonical[kind].get(canonical)?.entry,
      has: (kind, why) => this.#whys[kind].has(why),
      withheld: (kind, canonical) => this.#byCanonical[kind].get(canonical)?.why,
    };
  }

  #all(kind: Kind, offered: Lists): Lists {
    const before = this.#whole[kind];
    if (before?.offered === offered) return before.all;
    const all = [...offered, ...this.#lists[kind].values()];
    this.#whole[kind] = { offered, all };
    return all;
  }
}
