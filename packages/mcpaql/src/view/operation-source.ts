/** What a view stands on: the tools of one server, each with its label and the way to it. */

import type { LabelHints } from '@callsign/annotations';
import type { Entry, Hub, Item, Route, Unsubscribe } from '@callsign/core';

/** A tool of a server, which a view shows as an operation. */
export interface SourceOperation {
  readonly name: string;
  readonly item: Item;
  /** What counts: claims resolved with overrides and trust. */
  readonly hints: LabelHints;
}

export interface OperationSource {
  /** What there is now; the same list until something in it changes. */
  operations(): readonly SourceOperation[];
  /** The way to an operation, through whatever stands in the way of its own calls. */
  route(name: string): Route | undefined;
  subscribe(listener: () => void): Unsubscribe;
}

/** The tools of one server in a hub. Calls go through the hub's interceptors, as `server:tool`. */
export function hubOperations(hub: Hub, server: string): OperationSource {
  let entries: readonly Entry[] | undefined;
  let operations: readonly SourceOperation[] = [];
  return {
    operations() {
      const now = hub.byServer('tool').find((list) => list[0]?.ref.server === server);
      if (now !== entries) {
        entries = now;
        operations = (now ?? []).map(({ ref, item, hints }) => ({ name: ref.tool, item, hints }));
      }
      return operations;
    },
    route: (name) => hub.entry('tool', `${server}:${name}`)?.route,
    subscribe: (listener) =>
      hub.subscribe((event) => {
        if (event.type === 'changed' && event.kinds.includes('tool')) listener();
      }),
  };
}
