/** What a list of tools costs a model in each view: flat, as five tools per server, as two tools. */

import { type Entry, listTokens } from '@callsign/core';
import { createCrudeView, createSearchView, type OperationSource } from '@callsign/mcpaql/views';

import type { ViewKind } from '../config/settings.js';
import { CRUDE_PATTERN } from './listed-servers.js';

/** The tokens of the whole list in each view. */
type ViewTokens = Readonly<Record<ViewKind, number>>;

export interface ServerTokens extends ViewTokens {
  readonly server: string;
  readonly tools: number;
}

export interface TokenSums {
  /** The most expensive first. */
  readonly servers: readonly ServerTokens[];
  /** Five tools are shown for each server, and two for all servers together. */
  readonly total: ViewTokens;
}

/** The entries may be those of one server, of all or of a set. */
export function viewTokens(entries: Iterable<Entry>): TokenSums {
  const all = [...entries];
  const byServer = new Map<string, Entry[]>();
  for (const entry of all) {
    const own = byServer.get(entry.ref.server);
    if (own) own.push(entry);
    else byServer.set(entry.ref.server, [entry]);
  }
  const servers = Array.from(byServer, ([server, own]) => ({
    server,
    tools: own.length,
    flat: listTokens(own.map(({ item }) => item)),
    crude: tokensOf(createCrudeView(operationsOf(own), { name: server, pattern: CRUDE_PATTERN })),
    search: tokensOf(createSearchView(operationsOf(own), { name: server })),
  }));
  const sum = (view: 'flat' | 'crude'): number => {
    return servers.reduce((total, { [view]: tokens }) => total + tokens, 0);
  };
  return {
    servers: servers.toSorted((a, b) => b.flat - a.flat),
    total: {
      flat: sum('flat'),
      crude: sum('crude'),
      search: tokensOf(createSearchView(operationsOf(all), { name: 'callsign' })),
    },
  };
}

function tokensOf(view: ReturnType<typeof createSearchView>): number {
  const tokens = listTokens(view.offer.tool);
  view.close();
  return tokens;
}

/** Nothing is called, so no operation has a route. */
function operationsOf(entries: readonly Entry[]): OperationSource {
  const operations = entries.map(({ ref, item, hints }) => {
    return { name: ref.tool, ref, item, hints };
  });
  return { operations: () => operations, route: () => undefined, subscribe: () => () => undefined };
}
