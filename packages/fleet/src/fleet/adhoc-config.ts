/** A configuration for a server that was never configured, by its command line or its address. */

import { resolve } from 'node:path';

import { parseConfig, type GatewayConfig } from '@callsign/gateway';

import { configFailure } from '@callsign/command';

/** The key of a server that has none. */
export const ADHOC = 'server';

export function adhocConfig(
  server: { readonly url: string } | { readonly command: readonly string[] },
): GatewayConfig {
  // By way of variables, so that a "$" in a word is nothing but a "$".
  const words = 'url' in server ? [server.url] : server.command;
  const env = Object.fromEntries(words.map((word, i) => [`WORD_${i}`, word]));
  const [first, ...others] = Object.keys(env).map((name) => `\${${name}}`);
  const entry = 'url' in server ? { url: first } : { command: first, args: others };
  const file = resolve('command line');
  // What is asked for the sake of asking is no call that anybody will look for.
  const callsign = { audit: { mode: 'off' } };
  const text = JSON.stringify({ mcpServers: { [ADHOC]: entry }, callsign });
  const parsed = parseConfig(text, { file, env });
  if (!parsed.ok) throw configFailure(file, parsed.problems);
  // Every such entry is written in the same words, so nothing may be remembered by them.
  const { written: _, ...config } = parsed.config;
  return config;
}
