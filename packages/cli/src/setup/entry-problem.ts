/** Tells why a server cannot be imported or served. Starts nothing. */

import type { WrittenEntry } from '@callsign/config';
import {
  findCommand,
  parseConfig,
  type ConfigResult,
  type Environment,
} from '@callsign/gateway/host';

import type { Context } from '../command/command.js';

/**
 * Why the gateway could not run it. Unset variables do not count: they may be set where it runs.
 */
export function importProblem(entry: WrittenEntry): string | undefined {
  const parsed = parseAlone(entry, '', {});
  if (parsed.ok) return undefined;
  const problem = parsed.problems.find(({ code }) => code !== 'missing-variable');
  return problem && `it ${problem.message}`;
}

/** Why the gateway cannot serve it here and now: also an unset variable or a missing program. */
export function servingProblem(
  entry: WrittenEntry,
  { file, env, cwd }: Pick<Context, 'cwd' | 'env' | 'file'>,
): string | undefined {
  const parsed = parseAlone(entry, file, env);
  if (!parsed.ok) return parsed.problems[0]?.message;
  const [server] = parsed.config.servers;
  return server?.transport === 'stdio' ? findCommand(server, env, cwd).problem?.message : undefined;
}

function parseAlone(entry: WrittenEntry, file: string, env: Environment): ConfigResult {
  return parseConfig(JSON.stringify({ mcpServers: { server: entry } }), { file, env });
}
