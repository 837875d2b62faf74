/**
 * A Source whose tools are built from the tools of a server, per caller, and again after every
 * change.
 */

import {
  type Item,
  Listeners,
  NOTHING,
  type Offer,
  type Route,
  type Sight,
  type Source,
  type SourceEvent,
} from '@callsign/core';

import type { OperationSource, SourceOperation } from './operation-source.js';

/** A tool and its route. */
export type ToolRoute = Route & { readonly item: Item };

export interface Derived {
  readonly tools: readonly ToolRoute[];
}

export interface DerivedSource<D extends Derived> extends Source {
  /** The tools for the operations that a caller may see. Without `sight`: for all. */
  current(sight?: Sight): D;
  close(): void;
}

/** The sight of a caller who may see everything. */
const EVERYTHING: Sight = () => true;

interface Made<D> {
  readonly operations: readonly SourceOperation[];
  readonly derived: D;
  readonly offer: Offer;
  readonly routes: ReadonlyMap<string, ToolRoute>;
}

/** `make` runs only when the server's tools have changed: its result is cached per sight. */
export function deriveSource<D extends Derived>(
  source: OperationSource,
  make: (operations: readonly SourceOperation[]) => D,
): DerivedSource<D> {
  const listeners = new Listeners<SourceEvent>();
  const known = new WeakMap<Sight, Made<D>>();
  const close = source.subscribe(() => {
    listeners.tell({ type: 'changed', kinds: ['tool'] });
  });

  return {
    get offer() {
      return now().offer;
    },
    route(kind, name) {
      const route = kind === 'tool' ? now().routes.get(name) : undefined;
      return route && { ...route, seenBy: (sight) => now(sight).routes.get(name)?.item };
    },
    subscribe: (listener) => listeners.add(listener),
    tell: () => undefined,
    current: (sight) => now(sight).derived,
    close,
  } satisfies DerivedSource<D>;

  function now(sight?: Sight): Made<D> {
    const operations = source.operations(sight);
    const before = known.get(sight ?? EVERYTHING);
    if (before?.operations === operations) return before;
    const derived = make(operations);
    const offer = { ...NOTHING, tool: derived.tools.map(({ item }) => item) };
    const routes = new Map(derived.tools.map((tool) => [tool.item.name, tool]));
    const made = { operations, derived, offer, routes };
    known.set(sight ?? EVERYTHING, made);
    return made;
  }
}
