/** A configuration for a server of the command line: one command or one address. */

import { resolve } from 'node:path';

import { literalText } from '@callsign/config';
import { parseConfig, type GatewayConfig } from '@callsign/gateway/host';

import type { Context } from '../command/command.js';
import { configFailure } from '../config-file/config-text.js';

/** The key of such a server. */
export const ADHOC = 'server';

/** No file exists: the path in its problems is only a label. */
export function adhocConfig(
  server: { readonly url: string } | { readonly command: readonly string[] },
  { cwd }: Pick<Context, 'cwd'>,
): GatewayConfig {
  // Not passed as variables: every text about the server would hide their values.
  const words = 'url' in server ? [server.url] : server.command;
  const [first, ...others] = words.map(literalText);
  const entry = 'url' in server ? { url: first } : { command: first, args: others };
  const file = resolve(cwd, 'command line');
  // Such calls are not recorded: they belong to no configuration.
  const callsign = { audit: { mode: 'off' } };
  const text = JSON.stringify({ mcpServers: { [ADHOC]: entry }, callsign });
  const parsed = parseConfig(text, { file, env: {} });
  if (!parsed.ok) throw configFailure(file, parsed.problems);
  // All such entries look the same as written, so their lists must not be remembered.
  const { written: _, ...config } = parsed.config;
  return config;
}
