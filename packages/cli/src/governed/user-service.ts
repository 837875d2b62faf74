/** The gateway as a systemd service of this user. */

import { existsSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';

import { configFolder } from '@callsign/config/config-folder';
import { homeIn } from '@callsign/config/home';

import type { Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';

const NAME = 'callsign.service';

/** Where systemd looks for the units of a user. */
export function unitFile({ env }: Context): string {
  return join(dirname(configFolder(homeIn(env))), 'systemd', 'user', NAME);
}

/** The unit. Its gateway runs without clients too, and is started again if it ends. */
export function unitText({ file, shell }: Context): string {
  const words = [
    process.execPath,
    shell.script,
    'serve',
    '--background',
    '--keep',
    '--config',
    file,
  ];
  return `[Unit]
Description=Callsign, the MCP gateway of this user
After=network.target

[Service]
ExecStart=${words.map(quoted).join(' ')}
Restart=on-failure

[Install]
WantedBy=default.target
`;
}

/** In the quotes of systemd, where % and $ have a meaning. */
function quoted(word: string): string {
  return `"${word
    .replace(/(["\\])/g, '\\$1')
    .replace(/%/g, '%%')
    .replace(/\$/g, '$$$$')}"`;
}

/** Runs `systemctl --user`, if there is one. False: the person has to. */
export function systemctl({ env }: Context, ...args: readonly string[]): boolean {
  return spawnSync('systemctl', ['--user', ...args], { stdio: 'ignore', env }).status === 0;
}

/** `withProgram`: `systemctl` must be there too. Without it nothing would ever read a unit. */
export function requireSystemd({ env }: Context, withProgram = true): void {
  const isLinux = process.platform === 'linux';
  if (isLinux && !(withProgram && isMissing(env))) return;
  const message = isLinux
    ? 'There is no systemd here (systemctl was not found), so no service can be installed. The gateway starts with ' +
      'the first client anyway.'
    : 'A service can be installed on Linux with systemd only. Elsewhere the gateway starts with the first client.';
  throw new Failure({ exit: EXIT.usage, code: 'no-systemd', message });
}

function isMissing(env: Context['env']): boolean {
  const { error } = spawnSync('systemctl', ['--version'], { stdio: 'ignore', env });
  return error !== undefined;
}

export function isInstalled(context: Context): boolean {
  return existsSync(unitFile(context));
}
