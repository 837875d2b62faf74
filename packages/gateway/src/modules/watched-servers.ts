/** The sources of all servers, and which module watches them. */

import type { Parts, Source, Unsubscribe } from '@callsign/core';

interface Watched {
  readonly source: Source;
  /** What ends the watch of each module. */
  readonly stops: Map<Parts, Unsubscribe>;
}

export class WatchedServers {
  readonly #byServer = new Map<string, Watched>();

  /** A server has a new source, which these modules watch. The result ends that for all modules. */
  add(server: string, source: Source, modules: Iterable<Parts>): Unsubscribe {
    const watched: Watched = { source, stops: new Map() };
    this.#byServer.set(server, watched);
    for (const parts of modules) start(parts, server, watched);
    return () => {
      if (this.#byServer.get(server) === watched) this.#byServer.delete(server);
      for (const stop of watched.stops.values()) stop();
      watched.stops.clear();
    };
  }

  /** A module that is created on a reload watches the servers that run already. */
  start(parts: Parts): void {
    for (const [server, watched] of this.#byServer) start(parts, server, watched);
  }

  /** A closed module must not be told of changes, and must not leave listeners at the sources. */
  stop(parts: Parts): void {
    for (const { stops } of this.#byServer.values()) {
      stops.get(parts)?.();
      stops.delete(parts);
    }
  }
}

function start(parts: Parts, server: string, { source, stops }: Watched): void {
  const stop = parts.watch?.(server, source);
  if (stop) stops.set(parts, stop);
}
