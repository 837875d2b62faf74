/** Checks that the configuration is valid, keeps its secrets, and names programs that exist. */

import { statSync } from 'node:fs';

import { isRecord, type Problem, shownValue } from '@callsign/config';
import {
  findCommand,
  type GatewayConfig,
  loadConfig,
  type StdioServer,
} from '@callsign/gateway/host';

import { readText } from '../clients/files/text-file.js';
import type { Where } from '../command/shell.js';
import { entriesIn } from '../config-file/config-text.js';
import { fail, pass, warn, type Finding } from './finding.js';

type Environment = Readonly<Record<string, string | undefined>>;

export interface CheckedConfig {
  readonly config: GatewayConfig | undefined;
  readonly findings: readonly Finding[];
}

/**
 * One bad entry is a finding about that server. `config` is unset only if the whole file is
 * invalid. `bytes`: the content that was accepted.
 */
export async function checkConfig(
  file: string,
  env: Environment,
  bytes?: Uint8Array,
): Promise<CheckedConfig> {
  const loaded = await loadConfig(file, { env, isLenient: true, bytes });
  if (!loaded.ok) return { config: undefined, findings: loaded.problems.map(asFailure) };
  const { config, warnings } = loaded;
  const { unavailable = [], misnamed = [] } = config;
  const bad = [...unavailable, ...misnamed.map(({ shown, reason }) => ({ key: shown, reason }))];
  // In a lenient load, problems of single entries are among the warnings too. They are shown once.
  const faulty = bad.map(({ key, reason }) =>
    fail(`${key}: entry`, reason, 'correct it; the other servers are served anyway'),
  );
  const valid = bad.length === 0 ? [pass('config', `${file} is valid`)] : [];
  const isTold = (path: string): boolean => bad.some(({ reason }) => reason.startsWith(`${path} `));
  const doubts = warnings
    .filter(({ path }) => !isTold(path))
    .map(({ path, message, advice }) => warn('config', `${path} ${message}`.trim(), advice));
  return { config, findings: [...valid, ...faulty, ...doubts, ...checkSecrets(file)] };
}

function asFailure({ file, line, path, message, advice, code }: Problem): Finding {
  if (code === 'file-not-found') {
    return fail('config', `there is no configuration at ${file}`, 'create one: callsign setup');
  }
  const place = line === 0 ? file : `${file}:${line}`;
  return fail('config', [place, path, message].filter((part) => part !== '').join(' '), advice);
}

/** A file that other users can read must contain names of variables instead of secrets. */
function checkSecrets(file: string): Finding[] {
  if (process.platform === 'win32' || (statSync(file).mode & 0o044) === 0) return [];
  const holders = entriesIn(readText(file) ?? '', file).filter(({ entry }) =>
    [entry['env'], entry['headers']].some(
      (values) =>
        isRecord(values) &&
        Object.entries(values).some(([name, value]) => SECRET.test(name) && isLiteral(value)),
    ),
  );
  if (holders.length === 0) return [];
  const keys = holders.map(({ key }) => key).join(', ');
  const message = `other users can read ${file}, which contains secrets of ${keys}`;
  return [warn('secrets', message, `chmod 600 ${file}`)];
}

const SECRET = /token|secret|passw|key|auth|credential/i;

function isLiteral(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && shownValue(value) !== value;
}

/** Checks that the program and the working folder of a server exist. */
export function checkCommand(server: StdioServer, { env, cwd }: Where): Finding {
  const { program, problem } = findCommand(server, env, cwd);
  const check = `${server.key}: command`;
  return problem ? fail(check, problem.message, problem.advice) : pass(check, program);
}
