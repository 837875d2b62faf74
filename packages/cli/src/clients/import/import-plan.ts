/**
 * Plans an import: which servers are added under which keys, and why others are left out. It writes
 * nothing.
 */

import { isDeepStrictEqual } from 'node:util';

import type { WrittenEntry } from '@callsign/config';
import { serverKeyProblem } from '@callsign/naming';

import type { ClientServer } from '../apps/client-server.js';
import { translateEntry } from '../apps/translate-entry.js';

/** What the import does with one server. */
export interface PlannedServer {
  /** Its key in our configuration. */
  readonly key: string;
  readonly server: ClientServer;
  /** The entry in the standard form. Unset: it could not be translated. */
  readonly entry?: WrittenEntry;
  /** Our settings for it. Unset: none. */
  readonly settings?: WrittenEntry;
  readonly notes: readonly string[];
  /** Why it is left out. Unset: it is added. */
  readonly skipped?: string;
}

/** Returns why the gateway could not run an entry; `undefined` if it could. */
type EntryCheck = (entry: WrittenEntry) => string | undefined;

/** What the configuration already has. */
export interface ImportContext {
  /** The servers of the configuration, by key. */
  readonly existing: ReadonlyMap<string, WrittenEntry>;
  readonly check: EntryCheck;
}

/**
 * Plans the servers in order. Equal servers with one key are added once. If a key is already used
 * for a different server, the name of the client is appended.
 */
export function planImport(
  servers: readonly ClientServer[],
  { existing, check }: ImportContext,
): PlannedServer[] {
  const taken = new Map(existing);
  return servers.map((server) => {
    const translated = translateEntry(server);
    const plain = legalKey(server.key);
    if ('skipped' in translated) return { key: plain, server, notes: [], ...translated };
    const { entry, settings, notes } = translated;
    const wrong = check(entry);
    if (wrong !== undefined) return { key: plain, server, entry, notes: [], skipped: wrong };
    // "_" and not "-": some clients do not accept "-" in names.
    const keys = [plain, `${plain}_${server.client.replace(/[^A-Za-z0-9]+/g, '_')}`];
    const formerKey = `${plain}-${server.client}`;
    const there = [...keys, formerKey].find((key) => isDeepStrictEqual(taken.get(key), entry));
    if (there !== undefined) {
      return { key: there, server, entry, notes: [], skipped: 'it is already there' };
    }
    const key = keys.find((each) => !taken.has(each));
    if (key === undefined) {
      const skipped = `another server is called ${plain}; rename that one first`;
      return { key: plain, server, entry, notes: [], skipped };
    }
    taken.set(key, entry);
    return { key, server, entry, settings, notes };
  });
}

/** The key, with characters replaced that our keys must not have. */
function legalKey(key: string): string {
  if (serverKeyProblem(key) === undefined) return key;
  return key.replace(/[:\p{Cc}]+/gu, '_') || 'server';
}
