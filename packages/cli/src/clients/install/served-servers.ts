/**
 * Tells which servers in a client's file Callsign serves, so that the client need not start them
 * too.
 */

import { isDeepStrictEqual } from 'node:util';

import { summaryOf, type WrittenEntry } from '@callsign/config';

import type { ClientServer } from '../apps/client-server.js';
import { isCallsign, translateEntry } from '../apps/translate-entry.js';

/** A server of our configuration. */
export interface ConfiguredServer {
  readonly key: string;
  readonly entry: WrittenEntry;
  /** Why Callsign cannot serve it. Unset: it can. */
  readonly problem?: string | undefined;
}

/** A client's server that was imported, and its key in our configuration. */
export interface ImportedServer {
  readonly key: string;
  readonly server: ClientServer;
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

/**
 * Sorts servers into these lists. `imported`: servers whose entries may now differ, because a
 * variable was replaced.
 */
export function splitServers(
  servers: readonly ClientServer[],
  configured: readonly ConfiguredServer[],
  imported: readonly ImportedServer[] = [],
): ServerSplit {
  const keys = new Map(imported.map(({ key, server }) => [placeOf(server), key]));
  const running = servers.filter(({ entry, isOff }) => {
    const { command = '', args } = summaryOf(entry);
    return !isOff && !isCallsign(command, args);
  });
  const sorted = running.map((server) => {
    const key = keys.get(placeOf(server));
    const translated = translateEntry(server);
    const same = configured.filter((each) => {
      const isEqual = 'entry' in translated && isDeepStrictEqual(each.entry, translated.entry);
      return each.key === key || isEqual;
    });
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

/** One text per entry of a file. */
function placeOf({ file, path }: ClientServer): string {
  return JSON.stringify([file, path]);
}
