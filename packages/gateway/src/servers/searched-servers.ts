/**
 * All servers behind two tools: one finds tools, one calls them. The gateway's other own tools are listed beside them.
 * Prompts and resources stay the same.
 */

import {
  Hub,
  type Catalogue,
  type Entry,
  type Kind,
  type Route,
  type Sight,
  type Source,
  type WholeCatalogue,
  type Withheld,
} from '@callsign/core';
import { createSearchView, type OperationSource } from '@callsign/mcpaql/views';
import { OWN_SERVER_KEY } from '@callsign/naming';
import { foundWhileStarting, type Starting } from '@callsign/wire/extensions';

import type { ListedServers } from './listed-servers.js';

export interface SearchedServersOptions {
  /** The hub for clients. */
  readonly hub: Hub;
  readonly listed: Pick<ListedServers, 'tools' | 'entry' | 'refuse'>;
  readonly displayName: (server: string) => string | undefined;
  readonly starting: Starting & Pick<OperationSource, 'whenListed'>;
}

export interface SearchedServers extends Source {
  /** What a caller sees: these two tools, if it sees any tool behind them. */
  sightOf(sight: Sight): Sight;
}

export function createSearchedServers(options: SearchedServersOptions): SearchedServers {
  const { hub, displayName } = options;
  const own = new Hub({ label: () => ({ trust: 'full' }) });
  own.set(
    OWN_SERVER_KEY,
    createSearchView(allOperations(options), { name: OWN_SERVER_KEY, serverName: displayName }),
  );
  /** Whether an item is in the hub, and reached without the two tools. */
  const isDirect = (kind: Kind, canonical: string): boolean =>
    kind !== 'tool' || (isOwn(canonical) && own.entry('tool', canonical) === undefined);
  const over = (all: Catalogue, ofTools: Catalogue): Catalogue => {
    const toolLists = listsOf(all, ofTools);
    return {
      get abilities() {
        return all.abilities;
      },
      get serverInstructions() {
        return all.serverInstructions;
      },
      get serverSkills() {
        return all.serverSkills;
      },
      abilitiesOf: (isMeant) => all.abilitiesOf(isMeant),
      capabilitiesOf: (era, isMeant) => all.capabilitiesOf(era, isMeant),
      relay: (server, call) => all.relay(server, call),
      page: (server, uri) => all.page(server, uri),
      behind: () => options.listed.tools(),
      byServer: (kind) => (kind === 'tool' ? toolLists() : all.byServer(kind)),
      entry: (kind, canonical) =>
        (isDirect(kind, canonical) ? all : ofTools).entry(kind, canonical),
      admits: (kind, ref) => all.admits(kind, ref),
      whyUnavailable: (server) => all.whyUnavailable?.(server),
    };
  };
  const whole: WholeCatalogue = Object.assign(over(hub.whole, own.whole), {
    has: (kind: Kind, why: Withheld) => hub.whole.has(kind, why),
    withheld: (kind: Kind, canonical: string) =>
      (isDirect(kind, canonical) ? hub : own).whole.withheld(kind, canonical),
  });
  const catalogue: Catalogue = Object.assign(over(hub, own), { whole });
  return {
    catalogue,
    get offer() {
      const tool = catalogue.byServer('tool').flat();
      return {
        ...hub.offer,
        tool: tool.map(({ canonical, item }) => ({ ...item, name: canonical })),
      };
    },
    route: (kind, name) => (isDirect(kind, name) ? hub : own).route(kind, name),
    subscribe(listener) {
      let ownTools = ownListIn(hub);
      const stops = [
        own.subscribe((event) => event.type === 'changed' && listener(event)),
        hub.subscribe((event) => {
          if (event.type !== 'changed') return listener(event);
          const before = ownTools;
          ownTools = ownListIn(hub);
          const kinds = event.kinds.filter((kind) => kind !== 'tool' || ownTools !== before);
          if (kinds.length > 0 || event.kinds.length === 0) listener({ ...event, kinds });
        }),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
    tell: (method, params, to) => hub.tell(method, params, to),
    sightOf: (sight) => (target) => own.entry('tool', target.canonical) === target || sight(target),
  } satisfies SearchedServers;
}

function isOwn(canonical: string): boolean {
  return canonical.startsWith(`${OWN_SERVER_KEY}:`);
}

/** The gateway's own tools in a catalogue, besides those of a search. */
function ownListIn(all: Catalogue): readonly Entry[] | undefined {
  return all.byServer('tool').find(([first]) => first?.ref.server === OWN_SERVER_KEY);
}

/** The lists of both. The same array until one of them changes. */
function listsOf(all: Catalogue, search: Catalogue): () => readonly (readonly Entry[])[] {
  let last: { own?: readonly Entry[] | undefined; found?: unknown; lists: (readonly Entry[])[] } = {
    lists: [],
  };
  return () => {
    const [own, found] = [ownListIn(all), search.byServer('tool')];
    if (last.found !== found || last.own !== own)
      last = { own, found, lists: own ? [...found, own] : [...found] };
    return last.lists;
  };
}

interface Known {
  readonly lists: readonly (readonly Entry[])[];
  readonly operations: ReturnType<OperationSource['operations']>;
}

const EVERYTHING: Sight = () => true;

/** The tools of every server, by identity. Calls go through the interceptors of the tool itself. */
function allOperations({ hub, listed, starting }: SearchedServersOptions): OperationSource {
  const known = new WeakMap<Sight, Known>();
  const routeOf = (name: string): Route | undefined => {
    const [server = ''] = name.split(':', 1);
    return listed.entry('tool', server, name)?.route;
  };
  return {
    operations(sight = EVERYTHING) {
      const lists = listed.tools();
      const before = known.get(sight);
      if (before?.lists === lists) return before.operations;
      const operations = lists
        .flat()
        .filter((entry) => entry.ref.server !== OWN_SERVER_KEY && sight(entry))
        .map(({ canonical, ref, item, hints }) => ({ name: canonical, ref, item, hints }));
      known.set(sight, { lists, operations });
      return operations;
    },
    route: routeOf,
    refuse: (call, sight) =>
      listed.refuse(call.name.split(':', 1)[0] ?? '', call.name, call, sight),
    async whenKnown(name) {
      await foundWhileStarting(
        () => hub,
        starting,
        () => routeOf(name),
      );
    },
    whenListed: (client) => starting.whenListed?.(client) ?? Promise.resolve(),
    subscribe: (listener) =>
      hub.subscribe((event) => {
        if (event.type === 'changed' && event.kinds.includes('tool')) listener();
      }),
  };
}
