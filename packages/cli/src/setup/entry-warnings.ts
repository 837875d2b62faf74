/** Warns of problems with single servers before a client depends on them. Starts nothing. */

import { findCommand, loadConfig, type GatewayConfig } from '@callsign/gateway/host';
import { onOneLine } from '@callsign/terminal';

import type { Context } from '../command/command.js';

/**
 * Warns of every bad entry. Returns the configuration; `undefined` if no server of it can be
 * served.
 */
export async function warnOfEntries(context: Context): Promise<GatewayConfig | undefined> {
  const { file, env, stderr } = context;
  const loaded = await loadConfig(file, { env, isLenient: true });
  const problems = loaded.ok ? loaded.warnings : loaded.problems;
  for (const { path, message, advice } of problems) {
    stderr.log('warning', `${path} ${message}: ${advice}`.trim());
  }
  if (!loaded.ok) return undefined;
  warnOf(context, loaded.config);
  return loaded.config;
}

export interface CommandWarnings {
  /** The key of the one server to look at. */
  readonly only?: string;
  /** The text that the file will have. Default: the text that it has. */
  readonly text?: string;
}

/** Warns of missing commands only; the other problems were reported already. */
export async function warnOfCommands(
  context: Context,
  { only, text }: CommandWarnings = {},
): Promise<GatewayConfig | undefined> {
  const { file, env } = context;
  const bytes = text === undefined ? undefined : Buffer.from(text);
  const loaded = await loadConfig(file, { env, isLenient: true, bytes });
  if (!loaded.ok) return undefined;
  warnOf(context, loaded.config, only);
  return loaded.config;
}

function warnOf({ env, cwd, stderr }: Context, { servers }: GatewayConfig, only?: string): void {
  for (const server of servers) {
    if (only !== undefined && server.key !== only) continue;
    const { problem } = server.transport === 'stdio' ? findCommand(server, env, cwd) : {};
    if (!problem) continue;
    const { message, advice } = problem;
    stderr.log('warning', onOneLine(`${server.key}: command: ${message}: ${advice}`));
  }
}
