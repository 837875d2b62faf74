/** A configuration for a server that was never configured, by its command line or its address. */

import { resolve } from 'node:path';

import { parseConfig, type GatewayConfig } from '@callsign/gateway';

import { configFailure } from '@callsign/command';

/** The key of a server that has none. */
export const ADHOC = 'server';

export function adhocConfig(
  server: { readonly url: string } | { readonly command: readonly string[] },
): GatewayConfig {
  // Through variables, so that a "$" in a word stays a plain "$".
  const words = 'url' in server ? [server.url] : server.command;
  const env = Object.fromEntries(words.map((word, i) => [`WORD_${i}`, word]));
  const [first, ...others] = Object.keys(env).map((name) => `\${${name}}`);
  const entry = 'url' in server ? { url: first } : { command: first, args: others };
  const file = resolve('command line');
  // These calls are not recorded: no one would look for them.
  const callsign = { audit: { mode: 'off' } };
  const text = JSON.stringify({ mcpServers: { [ADHOC]: entry }, callsign });
  const parsed = parseConfig(text, { file, env });
  if (!parsed.ok) throw configFailure(file, parsed.problems);
  // All such entries are written alike, so nothing may be remembered for them.
  const { written: _, ...config } = parsed.config;
  return config;
}
