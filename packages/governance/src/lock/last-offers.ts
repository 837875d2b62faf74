/**
 * What each server offered last, as far as it is compared. A server that is down keeps its items.
 */

import type { Item, Kind, Offer, Slices, Source, Unsubscribe } from '@callsign/core';

import { judgedItems } from './judged-items.js';

export class LastOffers {
  readonly #byServer = new Map<string, readonly Item[]>();
  /** The servers that have offered their items themselves. Others are only remembered. */
  readonly #live = new Set<string>();
  readonly #kinds: readonly Kind[];

  /** `kinds`: the lists that are compared. */
  constructor(kinds: readonly ('tool' | 'prompt' | 'template')[]) {
    this.#kinds = kinds;
  }

  get(server: string): readonly Item[] {
    return this.#byServer.get(server) ?? [];
  }

  /** Whether the items of a server come from the server, and not from an earlier start. */
  isLive(server: string): boolean {
    return this.#live.has(server);
  }

  entries(): ReadonlyMap<string, readonly Item[]> {
    return this.#byServer;
  }

  /** Drops all other servers. */
  keepOnly(servers: Iterable<string>): void {
    const keys = new Set(servers);
    for (const key of this.#byServer.keys()) if (!keys.has(key)) this.#byServer.delete(key);
    for (const key of this.#live) if (!keys.has(key)) this.#live.delete(key);
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
    this.#live.delete(server);
    const take = (): void => {
      const { offer, instructions } = source;
      // A server that is down offers nothing. Its items are kept.
      if (kinds.every((kind) => offer[kind].length === 0) && instructions === undefined) return;
      const isSame = taken && kinds.every((kind) => offer[kind] === taken![kind]);
      const isConfirmed = source.unavailable === undefined && !this.#live.has(server);
      if (isConfirmed) this.#live.add(server);
      const isKnown = isSame && instructions === text && this.#byServer.get(server) === items;
      if (isKnown && !isConfirmed) return;
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
      // Its lists may be the remembered ones: then nothing has changed, but now they are its own.
      if (event.type === 'started') take();
      // A change without kinds may be a change of the instructions.
      if (event.type !== 'changed') return;
      if (event.kinds.length === 0 || event.kinds.some((kind) => kinds.includes(kind))) take();
    });
  }
}
