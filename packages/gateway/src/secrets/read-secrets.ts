/** Reads the secrets that a configuration names, before it is parsed: keychains answer later. */

import { join, resolve, dirname } from 'node:path';

import {
  homeIn,
  isRecord,
  secretsIn,
  stateFolder,
  type Environment,
  type Secret,
  type Secrets,
} from '@callsign/config';

import { systemKeychain } from './keychain.js';
import { readSecretFile } from './secret-file.js';
import { SecretStore } from './secret-store.js';

/** The secrets of this user. */
export function secretStore(env: Environment): SecretStore {
  return new SecretStore(stateFolder(homeIn(env)), () => systemKeychain(env));
}

/**
 * Never rejects. `document`: a configuration, or a part of it. `file`: its path; relative paths of files begin at its
 * folder.
 */
export async function readSecrets(
  document: unknown,
  file: string,
  env: Environment,
): Promise<Secrets> {
  const names = [...new Set(namedIn(document))];
  if (names.length === 0) return new Map();
  const store = secretStore(env);
  const read = (name: string): Promise<Secret> => {
    const at = name.indexOf(':') + 1;
    const own = name.slice(at);
    return name.startsWith('keychain:')
      ? store.get(own)
      : readSecretFile(placeOf(own, dirname(file), env));
  };
  return new Map(await Promise.all(names.map(async (name) => [name, await read(name)] as const)));
}

function placeOf(path: string, folder: string, env: Environment): string {
  if (/^~[/\\]/.test(path)) return join(homeIn(env).home, path.slice(2));
  return resolve(folder, path);
}

function namedIn(value: unknown): string[] {
  if (typeof value === 'string') return secretsIn(value);
  if (Array.isArray(value)) return value.flatMap(namedIn);
  return isRecord(value) ? Object.values(value).flatMap(namedIn) : [];
}
