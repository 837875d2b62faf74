/** Starts the gateway of a person in the background, so that it outlives the client that needed it first. */

import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { parse } from 'node:path';

import type { ConfigOrigin } from '../command/config-path.js';
import type { Where } from '../command/shell.js';
import { isService, SERVICE } from './service-unit.js';

/** What the gateway itself may need. Variables of servers come with each client. */
const OWN_VARIABLES = (
  'HOME LANG LOGNAME PATH SHELL TMPDIR TZ USER XDG_CONFIG_HOME XDG_STATE_HOME XDG_RUNTIME_DIR ' +
  'DBUS_SESSION_BUS_ADDRESS CALLSIGN_KEYCHAIN NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR ' +
  'APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATHEXT PROGRAMFILES SYSTEMDRIVE SYSTEMROOT TEMP TMP USERNAME USERPROFILE'
).split(' ');

/** The program and its arguments, such as `node callsign.cjs`. */
export type Program = readonly string[];

/** The arguments of a gateway in the background. `origin`: who chose the file, since one of a folder must stay accepted. */
export function backgroundArgs(config: string, origin: ConfigOrigin): string[] {
  const place = origin === 'folder' ? ['--folder-config'] : [];
  return ['serve', '--background', '--config', config, ...place];
}

/** A gateway that was started. Whether it serves is seen by its socket. */
export interface StartedGateway {
  /** It may end before it serves: it was killed, or another one was faster and has ended since. */
  hasEnded(): boolean;
}

/**
 * Returns at once. `variables`: those of the client that needs it. They count for clients that have none, as if that
 * client were still connected; without them a configuration may have no server that can start.
 */
export function startInBackground(
  program: Program,
  args: readonly string[],
  env: Where['env'],
  variables: Readonly<Record<string, string>> = {},
): StartedGateway {
  const own = OWN_VARIABLES.filter((name) => env[name] !== undefined);
  const short = { ...variables, ...Object.fromEntries(own.map((name) => [name, env[name]!])) };
  const [command = '', ...rest] = [...program, ...args];
  const options = {
    cwd: parse(process.execPath).root,
    env: short,
    stdio: 'ignore',
    detached: true,
  } as const;
  if (process.platform === 'win32') {
    const child = spawn(command, rest, { ...options, windowsHide: true });
    child.on('error', () => undefined).unref();
    return { hasEnded: () => child.pid === undefined || child.exitCode !== null };
  }
  // A process of its own in systemd survives the end of the client's scope.
  if (hasUserManager(env)) {
    // Values would be seen by others in a command line.
    const names = Object.keys(short).map((name) => `--setenv=${name}`);
    const unit = `callsign-${randomBytes(8).toString('hex')}.service`;
    const how = ['--user', '--quiet', '--collect', `--unit=${unit}`, ...names];
    const { detached: _, ...plain } = options;
    if (spawnSync('systemd-run', [...how, '--', command, ...rest], plain).status === 0) {
      return { hasEnded: () => !isActive(unit, env) };
    }
  }
  // The shell exits at once. So the gateway is no descendant of the client, and in a session of its own.
  const script = '"$@" >/dev/null & echo $!';
  const shell = spawn('/bin/sh', ['-c', script, 'sh', command, ...rest], {
    ...options,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let pid: number | undefined;
  shell.on('error', () => undefined).unref();
  shell.stdout.setEncoding('utf8').once('data', (said: string) => (pid = Number(said)));
  return { hasEnded: () => pid !== undefined && !isRunning(pid) };
}

/**
 * Starts the service of this user, if it runs just this gateway. Otherwise it would find its place taken when it is
 * started again, and end. `undefined`: it cannot be used. `until`: a service that is still finishing its last calls then
 * counts as ended.
 */
export function startService(
  program: Program,
  args: readonly string[],
  env: Where['env'],
  { verb, until = Infinity }: { readonly verb: 'start' | 'restart'; readonly until?: number },
): StartedGateway | undefined {
  if (Date.now() >= until || !hasUserManager(env) || !isService(program, args, env)) {
    return undefined;
  }
  const how = ['--user', '--no-block', verb, SERVICE];
  const { status, signal } = spawnSync('systemctl', how, { env });
  // A service that starts itself again is ended with this program, which has done its work by then.
  if (status !== 0 && signal !== 'SIGTERM') return undefined;
  return { hasEnded: () => Date.now() >= until || !isActive(SERVICE, env) };
}

function isActive(unit: string, env: Where['env']): boolean {
  return spawnSync('systemctl', ['--user', '--quiet', 'is-active', unit], { env }).status === 0;
}

function hasUserManager(env: Where['env']): boolean {
  const folder = env['XDG_RUNTIME_DIR'];
  return (
    process.platform === 'linux' && folder !== undefined && existsSync(`${folder}/systemd/private`)
  );
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
