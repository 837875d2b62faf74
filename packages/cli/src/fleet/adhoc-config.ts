/** A configuration for a server of the command line: one command or one address. */

import { resolve } from 'node:path';

import { parseConfig, type GatewayConfig } from '@callsign/gateway/host';

import { configFailure } from '../config-file/config-text.js';

/** The key of such a server. */
export const ADHOC = 'server';

/** No file exists: the path in its problems is only a label. */
export function adhocConfig(
  server: { readonly url: string } | { readonly command: readonly string[] },
): GatewayConfig {
  // The words are passed as variables, so that a "$" in a word is not expanded.
  const words = 'url' in server ? [server.url] : server.command;
  const env = Object.fromEntries(words.map((word, i) => [`WORD_${i}`, word]));
  const [first, ...others] = Object.keys(env).map((name) => `\${${name}}`);
  const entry = 'url' in server ? { url: first } : { command: first, args: others };
  const file = resolve('command line');
  // Such calls are not recorded: they belong to no configuration.
  const callsign = { audit: { mode: 'off' } };
  const text = JSON.stringify({ mcpServers: { [ADHOC]: entry }, callsign });
  const parsed = parseConfig(text, { file, env });
  if (!parsed.ok) throw configFailure(file, parsed.problems);
  // All such entries look the same as written, so their lists must not be remembered.
  const { written: _, ...config } = parsed.config;
  return config;
}
