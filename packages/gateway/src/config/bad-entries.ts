/** Servers that will not start as their entries stand. Nothing is started to find that out. */

import { findCommand } from './command-problem.js';
import type { UnavailableServer } from './gateway-config.js';
import { loadConfig } from './load-config.js';
import type { Environment } from './variables.js';

/** In the order of the file. A file that cannot be served at all has other problems, and none here. */
export async function findBadEntries(
  file: string,
  env: Environment = process.env,
): Promise<readonly UnavailableServer[]> {
  const loaded = await loadConfig(file, { env, isLenient: true });
  if (!loaded.ok) return [];
  const { servers, unavailable = [], written = {} } = loaded.config;
  const unfound = servers.flatMap((server) => {
    const problem = server.transport === 'stdio' ? findCommand(server, env).problem : undefined;
    const { key, settings } = server;
    return problem ? { key, settings, reason: `${problem.message}: ${problem.advice}` } : [];
  });
  const order = Object.keys(written);
  return [...unavailable, ...unfound].toSorted(
    (a, b) => order.indexOf(a.key) - order.indexOf(b.key),
  );
}
