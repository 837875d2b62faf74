/** Checks this machine: the version of Node, the state folder and the HTTP port. */

import { statSync } from 'node:fs';
import { createServer } from 'node:net';

import { folderFault, homeIn, stateFolder, writeAdvice } from '@callsign/config';
import type { HttpSettings } from '@callsign/gateway/host';

import { fail, pass, warn, type Finding } from './finding.js';

const LEAST_NODE = [20, 19] as const;
/** The bits of a mode that let the group and all others write. */
const OTHERS_WRITE = 0o022;

/** A failure if Node is older than the version that `engines` requires. */
export function checkNode(version: string = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isEnough = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
  return isEnough
    ? pass('node', `Node ${version}`)
    : fail('node', `Node ${version} is too old`, `install Node ${LEAST_NODE.join('.')} or newer`);
}

/** Only a warning: servers run without the state folder, but nothing is remembered. */
export function checkStorage(
  env: Readonly<Record<string, string | undefined>>,
  write?: (file: string) => void,
): Finding {
  const folder = stateFolder(homeIn(env));
  const code = folderFault(folder, write);
  if (code !== undefined) {
    const fix = `${writeAdvice(code)}, or set XDG_STATE_HOME to another folder`;
    return warn('storage', `${folder} cannot be written (${code}); nothing is remembered`, fix);
  }
  if (process.platform !== 'win32' && statSync(folder).mode & OTHERS_WRITE) {
    const message = `other users of this machine can change what is in ${folder}`;
    return warn('storage', message, `run: chmod go-w "${folder}"`);
  }
  return pass('storage', `${folder} is writable`);
}

/** Tries to listen. A taken port is only a warning, since it may be our own gateway. */
export function checkPort({ host, port }: HttpSettings): Promise<Finding> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) => {
      const message = `port ${port} of ${host} is not free (${code})`;
      const fix =
        'ignore this if Callsign listens there; otherwise choose another port with --http PORT';
      resolve(warn('port', message, fix));
    });
    server.listen(port, host, () => {
      server.close(() => resolve(pass('port', `port ${port} of ${host} is free`)));
    });
  });
}
