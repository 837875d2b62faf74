/** The admin address of a running gateway: a socket in a folder that only the user can enter. */

import { chmod, lstat, readdir } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';

import { makeFolder } from '@callsign/config';

const OWNER_ONLY = 0o700;
const OTHERS = 0o077;
/** The longest path of a socket. The strictest system allows 104 bytes with the final zero. */
const MAX_SOCKET_PATH = 103;
const PIPES = '\\\\.\\pipe\\';

/** The address of the gateway with this process id. */
export function adminAddress(state: string, pid: number): string {
  if (process.platform === 'win32') return `${PIPES}${pipePrefix()}${pid}`;
  const address = join(socketFolder(state), `${pid}.sock`);
  const bytes = Buffer.byteLength(address);
  if (bytes > MAX_SOCKET_PATH) {
    throw new RangeError(
      `The path of the admin socket has ${bytes} bytes, and ${MAX_SOCKET_PATH} are allowed: ${address}. Set XDG_STATE_HOME to a folder with a shorter path.`,
    );
  }
  return address;
}

/** The addresses of all gateways of this user, including those that ended without cleaning up. */
export async function adminAddresses(state: string): Promise<string[]> {
  if (process.platform === 'win32') {
    const names = await readdir(PIPES);
    return names.filter((name) => name.startsWith(pipePrefix())).map((name) => PIPES + name);
  }
  const folder = socketFolder(state);
  if ((await ownFolder(folder)) === 'missing') return [];
  const names = await readdir(folder);
  return names.filter((name) => /^\d+\.sock$/.test(name)).map((name) => join(folder, name));
}

/** Creates the folder for sockets, closed to other users. Pipes need none. */
export async function prepareSocketFolder(state: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = socketFolder(state);
  makeFolder(folder);
  // The folder may have existed before, with other permissions.
  if ((await ownFolder(folder)) === 'open') await chmod(folder, OWNER_ONLY);
}

function socketFolder(state: string): string {
  return join(state, 'run');
}

/** Throws if another user owns the folder: that user could impersonate a gateway. */
async function ownFolder(folder: string): Promise<'closed' | 'missing' | 'open'> {
  const found = await lstat(folder).catch((error: NodeJS.ErrnoException) => {
    // ENOTDIR: a file is in the place of a folder above, so no gateway could create this one.
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw new Error(`${folder} cannot be read (${error.code}). Allow this user to read it.`);
  });
  if (found === undefined) return 'missing';
  if (!found.isDirectory() || found.uid !== process.getuid?.()) {
    throw new Error(`${folder} must be a folder that you own. Remove it, and try again.`);
  }
  return (found.mode & OTHERS) === 0 ? 'closed' : 'open';
}

function pipePrefix(): string {
  return `callsign-${userInfo().username}-`;
}
