/**
 * A server that may be replaced while calls wait for an approval: they go to its successor then.
 */

import { changedSource, type Source } from '@callsign/core';

/** `successor` is asked for each call, at the moment when the call is sent. */
export function succeededSource(source: Source, successor: () => Source | undefined): Source {
  return changedSource(source, {
    route(kind, name) {
      const own = source.route(kind, name);
      if (!own) return undefined;
      return {
        ...(own.item ? { item: own.item } : {}),
        send: (call) => (successor()?.route(kind, name) ?? own).send(call),
      };
    },
    relay: (_, call) => (successor() ?? source).relay?.('', call),
  });
}
