/** The tools behind a view, each with its label and its route. */

import type {
  Call,
  Caller,
  Entry,
  Hub,
  Item,
  Reply,
  Route,
  Sight,
  Unsubscribe,
} from '@callsign/core';
import type { LabelHints } from '@callsign/effects';
import type { ToolRef } from '@callsign/naming';

/** A tool of a server, shown as an operation. */
export interface SourceOperation {
  /** Its name in the view. */
  readonly name: string;
  readonly ref: ToolRef;
  readonly item: Item;
  /** The label: claims resolved with overrides and trust. */
  readonly hints: LabelHints;
}

/** What a view needs from the servers that it shows. */
export interface OperationSource {
  /**
   * The operations that a caller may see; without `sight`, all. Must return the same array until something
   * changes: derived tools are cached by its identity.
   */
  operations(sight?: Sight): readonly SourceOperation[];
  /** The route to an operation, through the interceptors of its own calls. */
  route(name: string): Route | undefined;
  /**
   * Answers a call of an operation that is not listed for the caller. `undefined`: to the caller it is
   * unknown.
   */
  refuse?(call: Call, sight: Sight | undefined): Promise<Reply> | undefined;
  subscribe(listener: () => void): Unsubscribe;
  /** Resolves when an operation is known, or all servers have started or failed. */
  whenKnown?(name: string): Promise<void>;
  /** Resolves when the operations are complete, or the client has waited long enough. */
  whenListed?(client: Caller['client']): Promise<void>;
}

/** The sight of a caller who may see everything. */
const EVERYTHING: Sight = () => true;

interface Known {
  readonly entries: readonly Entry[] | undefined;
  readonly operations: readonly SourceOperation[];
}

/** The tools of one server in a hub. Calls go through the hub's interceptors, as `server:tool`. */
export function hubOperations(
  hub: Hub,
  server: string,
  refuse?: OperationSource['refuse'],
): OperationSource {
  const known = new WeakMap<Sight, Known>();
  return {
    operations(sight = EVERYTHING) {
      const entries = hub.byServer('tool').find((list) => list[0]?.ref.server === server);
      const before = known.get(sight);
      if (before?.entries === entries && before) return before.operations;
      const operations = (entries ?? [])
        .filter((entry) => sight(entry))
        .map(({ ref, item, hints }) => ({ name: ref.tool, ref, item, hints }));
      known.set(sight, { entries, operations });
      return operations;
    },
    route: (name) => hub.entry('tool', `${server}:${name}`)?.route,
    ...(refuse ? { refuse } : {}),
    subscribe: (listener) =>
      hub.subscribe((event) => {
        if (event.type === 'changed' && event.kinds.includes('tool')) listener();
      }),
  };
}
