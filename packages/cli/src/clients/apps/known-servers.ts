/** Tells under which keys a configuration has the server of a client. */

import { isDeepStrictEqual } from 'node:util';

import {
  isFilledIn,
  isRecord,
  secretsIn,
  type Environment,
  type WrittenEntry,
} from '@callsign/config';
import { configuredKeyProblem, OWN_SERVER_KEY } from '@callsign/naming';

import type { ClientServer } from './client-server.js';

/** The servers of a configuration. */
export interface KnownServers {
  /** By key. */
  readonly existing: ReadonlyMap<string, WrittenEntry>;
  /** Earlier keys of them. */
  readonly renamed: ReadonlyMap<string, string>;
  /** The values of variables here. */
  readonly env: Environment;
}

/**
 * The keys under which the configuration has a server, the likeliest first. `entry`: its entry in
 * the standard form. Under the keys that an import gives it, variables may have been filled in.
 */
export function keysFor(
  server: ClientServer,
  entry: WrittenEntry,
  { existing, renamed, env }: KnownServers,
): string[] {
  const own = [...existing.keys()].filter((key) => isKeyOf(server, key, renamed));
  const equal = [...existing.keys()].filter((key) => isDeepStrictEqual(existing.get(key), entry));
  const filled = own.filter((key) => isFilledInEntry(existing.get(key), entry, env));
  return [...new Set([...own.filter((key) => equal.includes(key)), ...filled, ...equal])];
}

/** Whether an import gives the server this key, or gave it one that was renamed since. */
export function isKeyOf(
  server: ClientServer,
  key: string,
  renamed: ReadonlyMap<string, string>,
): boolean {
  // An earlier version wrote "-" before the name of the client.
  const own = [...ownKeys(server), `${legalKey(server.key)}-${server.client}`];
  return own.some((each) => each === key || renamed.get(each) === key);
}

/** The keys that an import may give a server. */
export function ownKeys({ key, client }: ClientServer): [plain: string, withClient: string] {
  const plain = legalKey(key);
  // "_" and not "-": some clients do not accept "-" in names.
  return [plain, `${plain}_${client.replace(/[^A-Za-z0-9]+/g, '_')}`];
}

/** Whether a value is the written one with values in place of variables. */
function isFilledInEntry(value: unknown, written: unknown, env: Environment): boolean {
  if (typeof value === 'string' && typeof written === 'string') {
    if (isFilledIn(value, written, env)) return true;
    // A token of the client is in the keychain now.
    return secretsIn(value).length > 0 && isFilledIn(written, value, env);
  }
  if (Array.isArray(value) && Array.isArray(written)) {
    return (
      value.length === written.length &&
      value.every((each, i) => isFilledInEntry(each, written[i], env))
    );
  }
  if (!isRecord(value) || !isRecord(written)) return value === written;
  const keys = Object.keys(value);
  return (
    keys.length === Object.keys(written).length &&
    keys.every(
      (key) => Object.hasOwn(written, key) && isFilledInEntry(value[key], written[key], env),
    )
  );
}

/** The key, with characters replaced that our keys must not have. */
function legalKey(key: string): string {
  if (configuredKeyProblem(key) === undefined) return key;
  const legal = key.replace(/[:\p{Cc}]+/gu, '_') || 'server';
  return legal === OWN_SERVER_KEY ? `${legal}-server` : legal;
}
