/** A Source whose tools are made out of a server's tools, and made anew whenever those change. */

import {
  type Item,
  NOTHING,
  type Offer,
  type Route,
  type Source,
  type SourceEvent,
} from '@callsign/core';

import type { OperationSource, SourceOperation } from './operation-source.js';

/** A tool, and the way to it. */
export type ToolRoute = Route & { readonly item: Item };

export interface Derived {
  readonly tools: readonly ToolRoute[];
}

export interface DerivedSource<D extends Derived> extends Source {
  /** What is made of the server's tools now. */
  current(): D;
  close(): void;
}

interface Made<D> {
  readonly operations: readonly SourceOperation[];
  readonly derived: D;
  readonly offer: Offer;
  readonly routes: ReadonlyMap<string, ToolRoute>;
}

/** `make` runs when the server offers something else; no call pays for it otherwise. */
export function deriveSource<D extends Derived>(
  source: OperationSource,
  make: (operations: readonly SourceOperation[]) => D,
): DerivedSource<D> {
  const listeners = new Set<(event: SourceEvent) => void>();
  let made: Made<D> | undefined;
  const close = source.subscribe(() => {
    for (const listener of listeners) listener({ type: 'changed', kinds: ['tool'] });
  });

  return {
    get offer() {
      return now().offer;
    },
    route: (kind, name) => (kind === 'tool' ? now().routes.get(name) : undefined),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell: () => undefined,
    current: () => now().derived,
    close,
  } satisfies DerivedSource<D>;

  function now(): Made<D> {
    const operations = source.operations();
    if (made?.operations === operations) return made;
    const derived = make(operations);
    const offer = { ...NOTHING, tool: derived.tools.map(({ item }) => item) };
    const routes = new Map(derived.tools.map((tool) => [tool.item.name, tool]));
    return (made = { operations, derived, offer, routes });
  }
}
