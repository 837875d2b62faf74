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
/** The systemd of a user does not know these. Without them its gateway finds other folders and programs than clients do. */
const VARIABLES =
  'PATH XDG_CONFIG_HOME XDG_STATE_HOME CALLSIGN_KEYCHAIN NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR LANG TZ';

/** Where systemd looks for the units of a user. */
export function unitFile({ env }: Context): string {
  return join(dirname(configFolder(homeIn(env))), 'systemd', 'user', NAME);
}

/** The unit. Its gateway runs without clients too, and is started again if it ends. */
export function unitText({ env, file, shell }: Context): string {
  const words = [
    process.execPath,
    shell.script,
    'serve',
    '--background',
    '--keep',
    '--config',
    file,
  ];
  const variables = VARIABLES.split(' ').flatMap((name) => {
    const value = env[name];
    return value ? [`Environment=${quoted(`${name}=${value}`)}\n`] : [];
  });
  return `[Unit]
Description=Callsign, the MCP gateway of this user
After=network.target

[Service]
${variables.join('')}ExecStart=${words.map(argument).join(' ')}
Restart=on-failure

[Install]
WantedBy=default.target
`;
}

/** A word of a command line, where $ has a meaning too. */
function argument(word: string): string {
  return quoted(word).replace(/\$/g, '$$$$');
}

/** In the quotes of systemd, where % has a meaning. */
function quoted(text: string): string {
  const plain = text.replace(/(["\\])/g, '\\$1').replace(/%/g, '%%');
  return `"${plain.replace(/\n/g, '\\n')}"`;
}

/** Runs `systemctl --user`, if there is one. Returns false if the person has to. */
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
