/**
 * A server that may be replaced while calls wait for an approval: they go to its successor then.
 */

import type { Item, Kind, Offer, Route, Source } from '@callsign/core';

/** `successor` is asked for each call, at the moment when the call is sent. */
export function succeededSource(source: Source, successor: () => Source | undefined): Source {
  return {
    get offer(): Offer {
      return source.offer;
    },
    get skills(): readonly Item[] | undefined {
      return source.skills;
    },
    get instructions(): string | undefined {
      return source.instructions;
    },
    get unavailable(): string | undefined {
      return source.unavailable;
    },
    route(kind: Kind, name: string): Route | undefined {
      const own = source.route(kind, name);
      if (!own) return undefined;
      return {
        ...(own.item ? { item: own.item } : {}),
        send: (call) => (successor()?.route(kind, name) ?? own).send(call),
      };
    },
    relay: (_, call) => (successor() ?? source).relay?.('', call),
    capabilitiesFor: (era) => source.capabilitiesFor?.(era) ?? [],
    subscribe: (listener) => source.subscribe(listener),
    tell: (method, params) => source.tell(method, params),
  };
}
