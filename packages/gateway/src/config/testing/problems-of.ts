/** Parses a text and returns its problems as short lines, for tests that are tables. */

import { parseConfig } from '../parse-config.js';
import type { GatewayConfig } from '../gateway-config.js';
import type { Environment, Problem } from '@callsign/config';
import type { ServerConfig } from '../server-config.js';

const FILE = 'callsign.json';

/** The problems of a text; fails the test if there are none. */
export function problemsOf(text: string, env: Environment = {}): readonly Problem[] {
  const result = parseConfig(text, { file: FILE, env });
  if (result.ok) throw new Error(`No problem was found in ${text}`);
  return result.problems;
}

/** `line:column path: message → advice` of each. */
export function linesOf(problems: readonly Problem[]): string[] {
  return problems.map(
    ({ line, column, path, message, advice }) =>
      `${line}:${column} ${path}: ${message} → ${advice}`,
  );
}

/** The configuration in a text; fails the test if it has problems. */
export function configOf(text: string, env: Environment = {}): GatewayConfig {
  return accepted(text, env).config;
}

export function warningsOf(text: string, env: Environment = {}): readonly Problem[] {
  return accepted(text, env).warnings;
}

/** A file with this one server entry, under the key `s`; the entry starts at 1:22. */
export function fileWith(entry: string): string {
  return `{"mcpServers": {"s": ${entry}}}`;
}

export function serverOf(entry: string, env: Environment = {}): ServerConfig {
  return configOf(fileWith(entry), env).servers[0]!;
}

/** A file with two servers, `github` and `filesystem`, and these settings, which start at 1:92. */
export function fileWithSettings(settings: string): string {
  const servers = '"github": {"command": "gh"}, "filesystem": {"command": "fs"}';
  return `{"mcpServers": {${servers}}, "callsign": ${settings}}`;
}

function accepted(text: string, env: Environment) {
  const result = parseConfig(text, { file: FILE, env });
  if (!result.ok) throw new Error(linesOf(result.problems).join('\n'));
  return result;
}
