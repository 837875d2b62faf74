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
import type { Source } from '../source/source.js';
import type { Target } from '../call/target.js';

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
  readonly withholds?: (target: Target) => boolean;
  /** Whether clients may see the instructions of a server. Unset: they may. */
  readonly admitsText?: (server: string, text: string) => boolean;
  /** The display name of a server. Unset: derived from its key. */
  readonly displayName?: (server: string) => string | undefined;
}

export class EntryMaker {
  readonly #options: HubOptions;

  constructor(options: HubOptions) {
    this.#options = options;
  }

  /** By name alone. `withholds` is asked later, once there is an entry. */
  admits(kind: Kind, ref: ToolRef): boolean {
    return this.#options.admits?.(kind, ref) !== false;
  }

  /** The entries of a source. If several items have one name, only the first counts. */
  list(key: string, source: Source, kind: Kind): readonly Entry[] {
    const shownAs = this.#displayName(key);
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

  /** The entry of a page that is in no list; `undefined` if it is withheld. */
  page(ref: ToolRef, route: Route): Entry | undefined {
    const page = unlistedPage(ref, route, this.#displayName(ref.server), this.#interceptorsOf(ref));
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
