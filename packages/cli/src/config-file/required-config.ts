/** Loads the configuration for a command that starts servers. */

import { ENTRY_SECTIONS, pathText } from '@callsign/config';
import { loadConfig, type GatewayConfig } from '@callsign/gateway/host';

import type { Context } from '../command/command.js';
import { requireConsent } from './config-consent.js';
import { configFailure } from './config-text.js';

/** Asks for consent first, and prints warnings. */
export async function requireConfig(context: Context): Promise<GatewayConfig> {
  const { config, warn } = await readRequired(context);
  warn();
  return config;
}

interface ReadConfig {
  readonly config: GatewayConfig;
  /** Prints warnings. `only`: without those about servers with other keys. */
  warn(only?: string): void;
}

/** Asks for consent first. For a command that knows later which warnings concern it. */
export async function readRequired(context: Context): Promise<ReadConfig> {
  const { file, env, stderr } = context;
  const bytes = await requireConsent(context);
  const loaded = await loadConfig(file, { env, isLenient: true, bytes });
  if (!loaded.ok) throw configFailure(file, loaded.problems);
  const { config, warnings } = loaded;
  const keys = [...config.servers, ...(config.unavailable ?? [])].map(({ key }) => key);
  return {
    config,
    warn(only) {
      const others = only === undefined ? [] : keys.filter((key) => key !== only);
      for (const { file: where, line, path, message, advice } of warnings) {
        if (others.some((key) => isInEntry(path, key))) continue;
        stderr.log('warning', `${where}:${line} ${path} ${message}: ${advice}`);
      }
    },
  };
}

/** The key of the server that a tool's name or a pattern begins with, if there is one. */
export function serverNamed(spelling: string, config: GatewayConfig): string | undefined {
  const keys = [...config.servers, ...(config.unavailable ?? [])].map(({ key }) => key);
  return keys.find((key) => spelling === key || spelling.startsWith(`${key}:`));
}

/** Whether the path of a problem leads into the entry of a server. */
function isInEntry(path: string, key: string): boolean {
  return ENTRY_SECTIONS.some((section) => {
    const entry = pathText([section, key]);
    return path === entry || path.startsWith(`${entry}.`) || path.startsWith(`${entry}[`);
  });
}
