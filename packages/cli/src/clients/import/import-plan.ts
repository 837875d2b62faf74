/**
 * Plans an import: which servers are added under which keys, and why others are left out. It writes
 * nothing.
 */

import { isDeepStrictEqual } from 'node:util';

import type { WrittenEntry } from '@callsign/config';

import type { ClientServer } from '../apps/client-server.js';
import { isKeyOf, keysFor, ownKeys, type KnownServers } from '../apps/known-servers.js';
import { translateEntry } from '../apps/translate-entry.js';

/** What the import does with one server. */
export interface PlannedServer {
  /** Its key in our configuration. */
  readonly key: string;
  readonly server: ClientServer;
  /** The entry in the standard form. Missing if it could not be translated. */
  readonly entry?: WrittenEntry;
  /** Our settings for it. Missing if there are none. */
  readonly settings?: WrittenEntry;
  readonly notes: readonly string[];
  /** Why it is left out. Missing if it is added. */
  readonly skipped?: string;
  /** Its key in the client, if the server is in our configuration under another key. */
  readonly otherKey?: string;
}

/** Returns why the gateway could not run an entry; `undefined` if it could. */
type EntryCheck = (entry: WrittenEntry) => string | undefined;

/** What the configuration already has. */
export interface ImportContext extends KnownServers {
  /** The path of the configuration. */
  readonly file: string;
  readonly check: EntryCheck;
}

/**
 * Plans the servers in order. Equal servers are added once, even if two clients have different keys
 * for them. If a key is already used for a different server, the name of the client is appended.
 */
export function planImport(
  servers: readonly ClientServer[],
  { existing, renamed, env, file, check }: ImportContext,
): PlannedServer[] {
  const taken = new Map(existing);
  const oldKeys = new Map(renamed);
  /** The servers of this plan, by their keys. */
  const planned = new Map<string, Pick<PlannedServer, 'server' | 'settings'>>();
  return servers.map((server) => {
    const translated = translateEntry(server);
    const [plain] = ownKeys(server);
    if ('skipped' in translated) return { key: plain, server, notes: [], ...translated };
    const { entry, settings, notes } = translated;
    const wrong = check(entry);
    if (wrong !== undefined) return { key: plain, server, entry, notes: [], skipped: wrong };
    const known = { existing: taken, renamed: oldKeys, env };
    // One client has a reason for having a server twice.
    const there = keysFor(server, entry, known).find(
      (key) => isKeyOf(server, key, oldKeys) || planned.get(key)?.server.file !== server.file,
    );
    if (there !== undefined) {
      const first = planned.get(there);
      const isNew = !isKeyOf(server, there, oldKeys) && !taken.has(plain) && !oldKeys.has(plain);
      if (isNew) oldKeys.set(plain, there);
      const skipped = [
        first
          ? `the same server comes from ${first.server.client}`
          : `it is already there (${file})`,
        ...(isKeyOf(server, there, NO_KEYS) ? [] : [`as ${there}`]),
        ...(isNew ? [`and ${plain}:… can be called too`] : []),
      ].join(', ');
      // The settings of the first one count.
      const unused = isDeepStrictEqual(first?.settings, settings) ? [] : Object.keys(settings);
      const lost = first ? [...notes, ...unused.map((name) => `its ${name} is not used`)] : [];
      return {
        key: there,
        server,
        entry,
        notes: [],
        skipped: [skipped, ...lost].join('; '),
        ...(isNew ? { otherKey: plain } : {}),
      };
    }
    const key = ownKeys(server).find((each) => !taken.has(each) && !oldKeys.has(each));
    if (key === undefined) {
      const skipped = `another server is called ${plain}; rename that one first`;
      return { key: plain, server, entry, notes: [], skipped };
    }
    taken.set(key, entry);
    planned.set(key, { server, settings });
    return { key, server, entry, settings, notes };
  });
}

const NO_KEYS: ReadonlyMap<string, string> = new Map();
