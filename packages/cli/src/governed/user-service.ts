/** The gateway as a systemd service of this user. */

import { existsSync } from 'node:fs';
import { spawnSync } from 'node:child_process';

import type { Context } from '../command/command.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import { quoted, startLine, unitFile } from '../connect/service-unit.js';
import { sharedGateway } from '../connect/shared-gateway.js';
import { backgroundArgs } from '../connect/start-gateway.js';

/** The systemd of a user does not know these. Without them its gateway finds other folders and programs than clients do. */
const VARIABLES =
  'PATH XDG_CONFIG_HOME XDG_STATE_HOME CALLSIGN_KEYCHAIN NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR LANG TZ';

/** The unit. Its gateway runs without clients too, and is started again if it ends. */
export function unitText({ env, file, origin, shell }: Context): string {
  const { config } = sharedGateway(file, env);
  const args = backgroundArgs(config, origin);
  const variables = VARIABLES.split(' ').flatMap((name) => {
    const value = env[name];
    return value ? [`Environment=${quoted(`${name}=${value}`)}\n`] : [];
  });
  return `[Unit]
Description=Callsign, the MCP gateway of this user
After=network.target

[Service]
${variables.join('')}${startLine([process.execPath, shell.script], args)}
Restart=on-failure

[Install]
WantedBy=default.target
`;
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
  return existsSync(unitFile(context.env));
}
