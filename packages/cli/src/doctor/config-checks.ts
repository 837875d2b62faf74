/** Whether the configuration holds, keeps its secrets, and names programs that are there. */

import { existsSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

import { childEnvironment, loadConfig, resolveCommand } from '@callsign/gateway';
import type { GatewayConfig, StdioServer } from '@callsign/gateway';
import type { Problem } from '@callsign/config';

import { readText } from '@callsign/clients';
import { entriesIn } from '../config-file/config-text.js';
import { shownValue, isRecord } from '@callsign/config';
import { fail, pass, warn, type Finding } from './finding.js';

type Environment = Readonly<Record<string, string | undefined>>;

export interface CheckedConfig {
  readonly config: GatewayConfig | undefined;
  readonly findings: readonly Finding[];
}

export async function checkConfig(file: string, env: Environment): Promise<CheckedConfig> {
  const loaded = await loadConfig(file, { env });
  if (!loaded.ok) return { config: undefined, findings: loaded.problems.map(asFailure) };
  const { config, warnings } = loaded;
  const valid = pass('config', `${file} is valid`);
  const doubts = warnings.map(({ path, message, advice }) =>
    warn('config', `${path} ${message}`.trim(), advice),
  );
  return { config, findings: [valid, ...doubts, ...checkSecrets(file)] };
}

function asFailure({ file, line, path, message, advice, code }: Problem): Finding {
  if (code === 'file-not-found') {
    return fail('config', `there is no configuration at ${file}`, 'make one: callsign setup');
  }
  const place = line === 0 ? file : `${file}:${line}`;
  return fail('config', [place, path, message].filter((part) => part !== '').join(' '), advice);
}

/** A file that others can read must not hold secrets, only the names of variables. */
function checkSecrets(file: string): Finding[] {
  if (process.platform === 'win32' || (statSync(file).mode & 0o044) === 0) return [];
  const holders = entriesIn(readText(file) ?? '', file).filter(({ entry }) =>
    [entry['env'], entry['headers']].some(
      (values) =>
        isRecord(values) &&
        Object.entries(values).some(([name, value]) => SECRET.test(name) && isLiteral(value)),
    ),
  );
  return holders.map(({ key }) =>
    warn('secrets', `${key} has a secret in a file that others can read`, `chmod 600 ${file}`),
  );
}

const SECRET = /token|secret|passw|key|auth|credential/i;

function isLiteral(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && shownValue(value) !== value;
}

/** Whether the program of a server can be found, and its folder. */
export function checkCommand(server: StdioServer): Finding {
  const { key, command, cwd } = server;
  const check = `${key}: command`;
  if (cwd !== undefined && !existsSync(cwd)) {
    return fail(check, `its folder ${cwd} does not exist`, 'correct "cwd"');
  }
  const { PATH: path = '' } = childEnvironment(server, process.env);
  const program = resolveCommand(command, { path });
  if (isFound(program, path, cwd)) return pass(check, program);
  const fix = 'install it, or write its whole path into "command"';
  return fail(check, `${command} is not on the PATH`, fix);
}

function isFound(program: string, path: string, cwd: string | undefined): boolean {
  if (isAbsolute(program) || /[/\\]/.test(program)) return existsSync(resolve(cwd ?? '.', program));
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat', ''] : [''];
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => endings.some((end) => existsSync(join(folder, program + end))));
}
