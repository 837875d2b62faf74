/** What is wrong with single servers of the configuration, said before a client depends on it. Starts nothing. */

import { loadConfig, type GatewayConfig, type StdioServer } from '@callsign/gateway';
import { onOneLine } from '@callsign/terminal';

import type { Context } from '@callsign/command';

/** Whether the program of a server can be found. */
export type CommandCheck = (server: StdioServer) => {
  readonly status: 'pass' | 'warn' | 'fail';
  readonly check: string;
  readonly message: string;
  readonly fix?: string;
};

/** Warns of unset variables, missing commands and other bad entries. The configuration, if it can be served. */
export async function warnOfEntries(
  context: Context,
  checkCommand: CommandCheck,
): Promise<GatewayConfig | undefined> {
  const { file, env, stderr } = context;
  const loaded = await loadConfig(file, { env, isLenient: true });
  const problems = loaded.ok ? loaded.warnings : loaded.problems;
  for (const { path, message, advice } of problems) {
    stderr.log('warning', `${path} ${message}: ${advice}`.trim());
  }
  if (!loaded.ok) return undefined;
  warnOf(context, loaded.config, checkCommand);
  return loaded.config;
}

/** Warns of missing commands alone, where the rest was said already. */
export async function warnOfCommands(
  { file, env, stderr }: Context,
  checkCommand: CommandCheck,
): Promise<GatewayConfig | undefined> {
  const loaded = await loadConfig(file, { env, isLenient: true });
  if (!loaded.ok) return undefined;
  warnOf({ stderr }, loaded.config, checkCommand);
  return loaded.config;
}

function warnOf(
  { stderr }: Pick<Context, 'stderr'>,
  { servers }: GatewayConfig,
  checkCommand: CommandCheck,
): void {
  for (const server of servers) {
    if (server.transport !== 'stdio') continue;
    const { status, check, message, fix } = checkCommand(server);
    if (status !== 'pass') stderr.log('warning', onOneLine(`${check}: ${message}: ${fix ?? ''}`));
  }
}
