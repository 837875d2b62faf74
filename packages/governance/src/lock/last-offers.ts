/**
 * What each server offered last, as far as it is compared. A server that is down keeps its items.
 */

import type { Item, Kind, Offer, Slices, Source, Unsubscribe } from '@callsign/core';

import { judgedItems } from './judged-items.js';

export class LastOffers {
  readonly #byServer = new Map<string, readonly Item[]>();
  readonly #kinds: readonly Kind[];

  /** `kinds`: the lists that are compared. */
  constructor(kinds: readonly ('tool' | 'prompt' | 'template')[]) {
    this.#kinds = kinds;
  }

  get(server: string): readonly Item[] {
    return this.#byServer.get(server) ?? [];
  }

  entries(): ReadonlyMap<string, readonly Item[]> {
    return this.#byServer;
  }

  /** Drops all other servers. */
  keepOnly(servers: Iterable<string>): void {
    const keys = new Set(servers);
    for (const key of this.#byServer.keys()) if (!keys.has(key)) this.#byServer.delete(key);
  }

  /**
   * Watches a server. Calls `onTools` with its items now and after every change. `prepare`: work for
   * a change of long lists.
   */
  watch(
    server: string,
    source: Source,
    onTools: (server: string, items: readonly Item[]) => void,
    prepare?: (items: readonly Item[]) => Slices<void>,
  ): Unsubscribe {
    const kinds = this.#kinds;
    let taken: Offer | undefined;
    let text: string | undefined;
    let items: readonly Item[] = [];
    const take = (): void => {
      const { offer, instructions } = source;
      // A server that is down offers nothing. Its items are kept.
      if (kinds.every((kind) => offer[kind].length === 0) && instructions === undefined) return;
      const isSame = taken && kinds.every((kind) => offer[kind] === taken![kind]);
      if (isSame && instructions === text && this.#byServer.get(server) === items) return;
      taken = offer;
      text = instructions;
      items = judgedItems({
        tools: offer.tool,
        ...(kinds.includes('prompt') ? { prompts: offer.prompt } : {}),
        ...(kinds.includes('template') ? { templates: offer.template } : {}),
        instructions,
      });
      this.#byServer.set(server, items);
      onTools(server, items);
    };
    take();
    return source.subscribe((event) => {
      if (event.type === 'changing' && prepare) {
        for (const kind of kinds) event.prepare(prepare(source.offer[kind]));
      }
      // A change without kinds may be a change of the instructions.
      if (event.type !== 'changed') return;
      if (event.kinds.length === 0 || event.kinds.some((kind) => kinds.includes(kind))) take();
    });
  }
}
