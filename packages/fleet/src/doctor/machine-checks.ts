/** Checks this machine: the version of Node, the state folder and the HTTP port. */

import { rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { homeIn, makeFolder, stateFolder, writeAdvice } from '@callsign/config';
import type { HttpSettings } from '@callsign/gateway';

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
  write: (file: string) => void = writeByte,
): Finding {
  const folder = stateFolder(homeIn(env));
  try {
    makeFolder(folder);
    write(join(folder, `doctor-${process.pid}.tmp`));
    if (process.platform !== 'win32' && statSync(folder).mode & OTHERS_WRITE) {
      const message = `other users of this machine can change what is in ${folder}`;
      return warn('storage', message, `run: chmod go-w "${folder}"`);
    }
    return pass('storage', `${folder} is writable`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const fix = `${writeAdvice(code)}, or set XDG_STATE_HOME to another folder`;
    return warn('storage', `${folder} cannot be written (${code}); nothing is remembered`, fix);
  }
}

/** Permissions alone do not tell: the disk may be full. */
function writeByte(file: string): void {
  try {
    writeFileSync(file, 'x', { mode: 0o600 });
  } finally {
    rmSync(file, { force: true });
  }
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
