/**
 * Tells which servers in a client's file Callsign already serves, so that the client need not start
 * them too.
 */

import { isDeepStrictEqual } from 'node:util';

import { summaryOf, type WrittenEntry } from '@callsign/config';

import type { ClientServer } from '../apps/client-server.js';
import { isCallsign, translateEntry } from '../apps/translate-entry.js';

/** Callsign itself and servers that are switched off are in neither list. */
export interface ServerSplit {
  /** Servers that our configuration has with the same entry. */
  readonly served: readonly ClientServer[];
  /** Servers that our configuration does not have. */
  readonly others: readonly ClientServer[];
}

/**
 * Sorts servers into these lists. `known`: servers that were imported, although their entries now
 * differ because a variable was replaced.
 */
export function splitServers(
  servers: readonly ClientServer[],
  configured: readonly WrittenEntry[],
  known: readonly ClientServer[] = [],
): ServerSplit {
  const places = new Set(known.map(placeOf));
  const running = servers.filter(({ entry }) => {
    const { command = '', args, isOff } = summaryOf(entry);
    return !isOff && !isCallsign(command, args);
  });
  const isServed = (server: ClientServer): boolean => {
    if (places.has(placeOf(server))) return true;
    const translated = translateEntry(server);
    return (
      'entry' in translated && configured.some((each) => isDeepStrictEqual(each, translated.entry))
    );
  };
  return {
    served: running.filter(isServed),
    others: running.filter((server) => !isServed(server)),
  };
}

/** One text per entry of a file. */
function placeOf({ file, path }: ClientServer): string {
  return JSON.stringify([file, path]);
}
