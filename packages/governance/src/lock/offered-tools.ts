/** The tools that each server offered last. A server that is down keeps its names. */

import type { Item, Source, Unsubscribe } from '@callsign/core';

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
    const take = (): void => {
      const items = source.offer.tool;
      // A server that is down offers nothing. Its tools are kept.
      if (items.length === 0) return;
      this.#byServer.set(server, items);
      onTools(server, items);
    };
    take();
    return source.subscribe((event) => {
      if (event.type === 'changed' && event.kinds.includes('tool')) take();
    });
  }
}
