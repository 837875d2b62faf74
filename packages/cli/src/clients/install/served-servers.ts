/**
 * Tells which servers in a client's file Callsign serves, so that the client need not start them
 * too.
 */

import { summaryOf, type WrittenEntry } from '@callsign/config';

import type { ClientServer } from '../apps/client-server.js';
import { keysFor, type KnownServers } from '../apps/known-servers.js';
import { isCallsign, translateEntry } from '../apps/translate-entry.js';

/** A server of our configuration. */
export interface ConfiguredServer {
  readonly key: string;
  readonly entry: WrittenEntry;
  /** Why Callsign cannot serve it. Missing if it can. */
  readonly problem?: string | undefined;
}

/** Callsign itself and servers that are switched off are in no list. */
export interface ServerSplit {
  /** Servers that our configuration has and that Callsign can serve. */
  readonly served: readonly ClientServer[];
  /** Servers that our configuration has, and why Callsign cannot serve them. */
  readonly unserved: readonly { readonly server: ClientServer; readonly problem: string }[];
  /** Servers that our configuration does not have. */
  readonly others: readonly ClientServer[];
}

/** Sorts servers into these lists. `known`: the same servers as `configured`. */
export function splitServers(
  servers: readonly ClientServer[],
  configured: readonly ConfiguredServer[],
  known: KnownServers,
): ServerSplit {
  const running = servers.filter(({ entry, isOff }) => {
    const { command = '', args } = summaryOf(entry);
    return !isOff && !isCallsign(command, args);
  });
  const sorted = running.map((server) => {
    const translated = translateEntry(server);
    const keys = 'entry' in translated ? keysFor(server, translated.entry, known) : [];
    const same = keys.flatMap((key) => configured.find((each) => each.key === key) ?? []);
    return { server, own: same.find(({ problem }) => problem === undefined) ?? same[0] };
  });
  return {
    served: sorted.flatMap(({ server, own }) => (own && own.problem === undefined ? server : [])),
    unserved: sorted.flatMap(({ server, own }) =>
      own?.problem === undefined ? [] : { server, problem: own.problem },
    ),
    others: sorted.flatMap(({ server, own }) => (own ? [] : server)),
  };
}
