/** Creates a gateway from a file or a configuration, and loads the user's modules. */

import { formatProblems } from '@callsign/config';

import type { ConfigResult, GatewayConfig } from '../config/gateway-config.js';
import { loadConfig, type LoadOptions } from '../config/load-config.js';
import { Gateway, type GatewayOptions } from './gateway.js';
import { loadModules } from '../modules/user-modules.js';

/** Reads a configuration and loads its modules. This runs their code. */
export async function loadWithModules(file: string, options?: LoadOptions): Promise<ConfigResult> {
  const loaded = await loadConfig(file, options);
  if (!loaded.ok) return loaded;
  const added = await withModules(loaded.config);
  return added.ok ? { ...loaded, config: added.config } : added;
}

/** `config`: a file, or a configuration. Rejects with all problems in one message. */
export async function createGateway(
  config: string | GatewayConfig,
  options: GatewayOptions,
): Promise<Gateway> {
  const loaded =
    typeof config === 'string' ? await loadWithModules(config) : await withModules(config);
  if (!loaded.ok) throw new Error(formatProblems(loaded.problems));
  return new Gateway(loaded.config, options);
}

async function withModules(config: GatewayConfig): Promise<ConfigResult> {
  const loaded = await loadModules(config);
  if (!loaded.ok) return loaded;
  const { modules } = loaded;
  return { ok: true, config: modules.length > 0 ? { ...config, modules } : config, warnings: [] };
}
