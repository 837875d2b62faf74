/** Which servers of a client's file Callsign serves, so that the client need not start them itself. */

import { isDeepStrictEqual } from 'node:util';

import { summaryOf, type WrittenEntry } from '@callsign/config';

import type { ClientServer } from '../apps/client-server.js';
import { isCallsign, translateEntry } from '../apps/translate-entry.js';

export interface ServerSplit {
  /** In our configuration too, with the same entry. */
  readonly served: readonly ClientServer[];
  /** Not in our configuration. Callsign itself and servers that are switched off are in neither list. */
  readonly others: readonly ClientServer[];
}

/** `known`: servers that are ours though their entries may differ, because a variable was replaced. */
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

function placeOf({ file, path }: ClientServer): string {
  return JSON.stringify([file, path]);
}
