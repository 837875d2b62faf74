/** Creates a gateway from a file or a configuration, and loads the user's modules and stores. */

import { formatProblems } from '@callsign/config';

import type { ConfigResult, GatewayConfig } from '../config/gateway-config.js';
import { loadConfig, type LoadOptions } from '../config/load-config.js';
import { Gateway } from './gateway.js';
import type { GatewayOptions } from './gateway-options.js';
import { loadModules } from '../modules/user-modules.js';
import { loadStores } from '../modules/user-stores.js';

/** Reads a configuration and loads its modules and stores. This runs their code. */
export async function loadWithModules(file: string, options?: LoadOptions): Promise<ConfigResult> {
  const loaded = await loadConfig(file, options);
  if (!loaded.ok) return loaded;
  const complete = await withModules(loaded.config);
  return complete.ok ? { ...loaded, config: complete.config } : complete;
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
  const [loadedModules, loadedStores] = [await loadModules(config), await loadStores(config)];
  if (!loadedModules.ok) return loadedModules;
  if (!loadedStores.ok) return loadedStores;
  const [{ modules }, { stores }] = [loadedModules, loadedStores];
  return {
    ok: true,
    config: {
      ...config,
      ...(modules.length > 0 ? { modules } : {}),
      ...(stores.length > 0 ? { stores } : {}),
    },
    warnings: [],
  };
}
