/** The admin address of a running gateway: a socket in a folder that only the user can enter. */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { checkSocketFolder, pipePrefix, socketFolder, socketPath } from '@callsign/config';

const PIPES = '\\\\.\\pipe\\';
const NAME = /^\d+\.sock$/;

/** The address of the gateway with this process id. */
export function adminAddress(state: string, pid: number): string {
  return socketPath(state, `${pid}.sock`);
}

/** The addresses of all gateways of this user, including those that ended without cleaning up. */
export async function adminAddresses(state: string): Promise<string[]> {
  if (process.platform === 'win32') {
    const names = await readdir(PIPES);
    const isOurs = (name: string): boolean =>
      name.startsWith(pipePrefix()) && NAME.test(name.slice(pipePrefix().length));
    return names.filter(isOurs).map((name) => PIPES + name);
  }
  if (checkSocketFolder(state) === 'missing') return [];
  const folder = socketFolder(state);
  const names = await readdir(folder);
  return names.filter((name) => NAME.test(name)).map((name) => join(folder, name));
}
