/** The folder for the sockets of a user's gateways. Only the user can enter it. */

import { createHash } from 'node:crypto';
import { chmodSync, lstatSync } from 'node:fs';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';

import { makeFolder } from './make-folder.js';

const OWNER_ONLY = 0o700;
const OTHERS = 0o077;
/** The longest path of a socket. The strictest system allows 104 bytes with the final zero. */
const MAX_SOCKET_PATH = 103;
/** The longest name of a socket in the folder. */
const MAX_NAME = 24;
const PIPES = '\\\\.\\pipe\\';

/** The path of a socket, or the name of a pipe on Windows. `name` has at most 24 characters. */
export function socketPath(state: string, name: string): string {
  if (process.platform === 'win32') return `${PIPES}${pipePrefix()}${name}`;
  return join(socketFolder(state), name);
}

/** Pipes have no folder: their names begin with this. */
export function pipePrefix(): string {
  return `callsign-${userInfo().username}-`;
}

/** In the folder of the state. If its path is too long for a socket: in a folder that is named after it. */
export function socketFolder(state: string): string {
  const usual = join(state, 'run');
  if (Buffer.byteLength(usual) + 1 + MAX_NAME <= MAX_SOCKET_PATH) return usual;
  const name = createHash('sha256').update(state).digest('hex').slice(0, 16);
  // Not the temporary folder of the environment, which may differ between two processes of one user.
  return join('/tmp', `callsign-${process.getuid?.() ?? ''}-${name}`);
}

/** Creates the folder, closed to other users. Throws if another user owns it. */
export function prepareSocketFolder(state: string): void {
  if (process.platform === 'win32') return;
  const folder = socketFolder(state);
  makeFolder(folder);
  // The folder may have existed before, with other permissions.
  if (checkSocketFolder(state) === 'open') chmodSync(folder, OWNER_ONLY);
}

/** Throws if another user owns the folder: that user could impersonate a gateway. */
export function checkSocketFolder(state: string): 'closed' | 'missing' | 'open' {
  const folder = socketFolder(state);
  let found;
  try {
    found = lstatSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // ENOTDIR: a file is in the place of a folder above, so no gateway could create this one.
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing';
    throw new Error(`${folder} cannot be read (${code}). Allow this user to read it.`, {
      cause: error,
    });
  }
  if (!found.isDirectory() || found.uid !== process.getuid?.()) {
    throw new Error(`${folder} must be a folder that you own. Remove it, and try again.`);
  }
  return (found.mode & OTHERS) === 0 ? 'closed' : 'open';
}

/** Whether a process listens there. One that is busy still accepts the connection. */
export function isListening(address: string): Promise<boolean> {
  return new Promise((tell) => {
    const probe = connect(address);
    const settle = (is: boolean): void => {
      probe.destroy();
      tell(is);
    };
    probe.once('connect', () => settle(true));
    probe.once('error', ({ code }: NodeJS.ErrnoException) =>
      settle(code !== 'ECONNREFUSED' && code !== 'ENOENT'),
    );
  });
}
