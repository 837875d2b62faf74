/** All servers behind two tools: one finds tools, one calls them. Prompts and resources stay the same. */

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
import { foundWhileStarting, type Starting } from '@callsign/wire/extensions';

import type { Placement } from './placement.js';

export interface SearchedServersOptions {
  /** The hub for clients. */
  readonly hub: Hub;
  readonly placement: Pick<Placement, 'tools' | 'entry' | 'refuse'>;
  readonly displayName: (server: string) => string | undefined;
  readonly starting: Starting & Pick<OperationSource, 'whenListed'>;
}

export interface SearchedServers extends Source {
  /** What a caller sees: these two tools, if it sees any tool behind them. */
  sightOf(sight: Sight): Sight;
}

/** The two tools are our own, so our name is in their identities. */
const OWN_KEY = 'callsign';

export function createSearchedServers(options: SearchedServersOptions): SearchedServers {
  const { hub, displayName } = options;
  const own = new Hub({ label: () => ({ trust: 'full' }) });
  own.set(
    OWN_KEY,
    createSearchView(allOperations(options), { name: OWN_KEY, serverName: displayName }),
  );
  const hubOf = (kind: Kind): Hub => (kind === 'tool' ? own : hub);
  const over = (all: Catalogue, ofTools: Catalogue): Catalogue => {
    const listsOf = (kind: Kind): Catalogue => (kind === 'tool' ? ofTools : all);
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
      behind: () => options.placement.tools(),
      byServer: (kind) => listsOf(kind).byServer(kind),
      entry: (kind, canonical) => listsOf(kind).entry(kind, canonical),
      admits: (kind, ref) => all.admits(kind, ref),
      whyUnavailable: (server) => all.whyUnavailable?.(server),
    };
  };
  const whole: WholeCatalogue = Object.assign(over(hub.whole, own.whole), {
    has: (kind: Kind, why: Withheld) => hubOf(kind).whole.has(kind, why),
    withheld: (kind: Kind, canonical: string) => hubOf(kind).whole.withheld(kind, canonical),
  });
  const catalogue: Catalogue = Object.assign(over(hub, own), { whole });
  return {
    catalogue,
    get offer() {
      return { ...hub.offer, tool: own.offer.tool };
    },
    route: (kind, name) => hubOf(kind).route(kind, name),
    subscribe(listener) {
      const stops = [
        own.subscribe((event) => event.type === 'changed' && listener(event)),
        hub.subscribe((event) => {
          if (event.type !== 'changed') return listener(event);
          const kinds = event.kinds.filter((kind) => kind !== 'tool');
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

interface Known {
  readonly lists: readonly (readonly Entry[])[];
  readonly operations: ReturnType<OperationSource['operations']>;
}

const EVERYTHING: Sight = () => true;

/** The tools of every server, by identity. Calls go through the interceptors of the tool itself. */
function allOperations({ hub, placement, starting }: SearchedServersOptions): OperationSource {
  const known = new WeakMap<Sight, Known>();
  const routeOf = (name: string): Route | undefined => {
    const [server = ''] = name.split(':', 1);
    return placement.entry('tool', server, name)?.route;
  };
  return {
    operations(sight = EVERYTHING) {
      const lists = placement.tools();
      const before = known.get(sight);
      if (before?.lists === lists) return before.operations;
      const operations = lists
        .flat()
        .filter((entry) => sight(entry))
        .map(({ canonical, ref, item, hints }) => ({ name: canonical, ref, item, hints }));
      known.set(sight, { lists, operations });
      return operations;
    },
    route: routeOf,
    refuse: (call, sight) =>
      placement.refuse(call.name.split(':', 1)[0] ?? '', call.name, call, sight),
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
