/** Where `callsign connect` and the gateway of a person meet: a socket for each configuration, and one key. */

import { createHash, randomBytes } from 'node:crypto';
import { linkSync, lstatSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { homeIn } from '@callsign/config/home';
import { makeFolder } from '@callsign/config/make-folder';
import { socketPath } from '@callsign/config/socket-folder';
import { stateFolder } from '@callsign/config/state-folder';

import type { Where } from '../command/shell.js';

const KEY_BYTES = 32;

export interface SharedGateway {
  /** The configuration, without links. */
  readonly config: string;
  /** Of the socket. */
  readonly address: string;
  /** The folder of the user's state. */
  readonly state: string;
  /** The file that the gateway writes its messages to. */
  readonly log: string;
}

export function sharedGateway(file: string, env: Where['env']): SharedGateway {
  const config = realPath(file);
  const state = stateFolder(homeIn(env));
  const name = createHash('sha256').update(config).digest('hex').slice(0, 16);
  return {
    config,
    state,
    address: socketPath(state, `${name}.gw`),
    log: join(state, 'logs', `${name}.log`),
  };
}

/** Without links, as far as it exists. */
export function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/**
 * The key that both must know. The first who asks creates it. Throws if it cannot be read or created, or if another user
 * could have written it.
 */
export function sharedKey(state: string): Buffer {
  const file = join(state, 'connect-key');
  const known = keyIn(file);
  if (known) return known;
  makeFolder(state);
  const own = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(own, randomBytes(KEY_BYTES).toString('hex'), { mode: 0o600, flag: 'wx' });
  try {
    // Fails if another process was faster. Then its key counts.
    linkSync(own, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(own, { force: true });
  }
  const key = keyIn(file);
  if (!key) throw new Error(`${file} cannot be used. Remove it, and try again.`);
  return key;
}

function keyIn(file: string): Buffer | undefined {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (!found) return undefined;
  const isOwn =
    process.platform === 'win32' ||
    (found.uid === process.getuid?.() && (found.mode & 0o077) === 0);
  if (!found.isFile() || !isOwn) {
    throw new Error(`${file} must be a file that only you can read. Remove it, and try again.`);
  }
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex');
  return key.length === KEY_BYTES ? key : undefined;
}
