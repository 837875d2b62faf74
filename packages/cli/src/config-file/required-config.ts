/** Loads the configuration for a command that starts servers. */

import { loadConfig, type GatewayConfig } from '@callsign/gateway/host';

import type { Context } from '../command/command.js';
import { requireConsent } from './config-consent.js';
import { configFailure } from './config-text.js';

/** Asks for consent first, and prints warnings. */
export async function requireConfig(context: Context): Promise<GatewayConfig> {
  const { file, env, stderr } = context;
  const bytes = await requireConsent(context);
  const loaded = await loadConfig(file, { env, isLenient: true, bytes });
  if (!loaded.ok) throw configFailure(file, loaded.problems);
  const { warnings } = loaded;
  for (const { file: where, line, path, message, advice } of warnings) {
    stderr.log('warning', `${where}:${line} ${path} ${message}: ${advice}`);
  }
  return loaded.config;
}
