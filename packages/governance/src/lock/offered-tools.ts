/** The tools and the instructions that each server offered last. A server that is down keeps its names. */

import type { Item, Source, Unsubscribe } from '@callsign/core';

import { judgedItems } from './judged-items.js';

export class OfferedTools {
  readonly #byServer = new Map<string, readonly Item[]>();

  get(server: string): readonly Item[] {
    return this.#byServer.get(server) ?? [];
  }

  entries(): ReadonlyMap<string, readonly Item[]> {
    return this.#byServer;
  }

  /** Forgets all other servers. */
  keepOnly(servers: Iterable<string>): void {
    const keys = new Set(servers);
    for (const key of this.#byServer.keys()) if (!keys.has(key)) this.#byServer.delete(key);
  }

  /** Watches a server. `onTools` is called with its tools now and after every change. */
  watch(
    server: string,
    source: Source,
    onTools: (server: string, items: readonly Item[]) => void,
  ): Unsubscribe {
    let tools: readonly Item[] | undefined;
    let text: string | undefined;
    let items: readonly Item[] = [];
    const take = (): void => {
      const { offer, instructions } = source;
      // A server that is down offers nothing. Its tools are kept.
      if (offer.tool.length === 0 && instructions === undefined) return;
      if (offer.tool === tools && instructions === text && this.#byServer.get(server) === items)
        return;
      tools = offer.tool;
      text = instructions;
      items = judgedItems(tools, text);
      this.#byServer.set(server, items);
      onTools(server, items);
    };
    take();
    return source.subscribe((event) => {
      // A change without kinds may be one of the instructions.
      if (event.type !== 'changed') return;
      if (event.kinds.length === 0 || event.kinds.includes('tool')) take();
    });
  }
}
