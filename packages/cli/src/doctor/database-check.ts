/** Tries the database that instances share. */

import { type Environment, type GatewayConfig, tryStorage } from '@callsign/gateway/host';

import { fail, pass, type Finding } from './finding.js';

/** Nothing to say without `storage`. */
export async function checkDatabase(
  { settings: { storage }, secrets }: Pick<GatewayConfig, 'settings' | 'secrets'>,
  env: Environment,
): Promise<Finding[]> {
  if (!storage) return [];
  const problem = await tryStorage(storage, { env, secrets });
  return [
    problem
      ? fail('database', problem.message, problem.advice)
      : pass('database', 'an instance can use it'),
  ];
}
