/** Tries the database that instances share. */

import { type Environment, type Settings, tryStorage } from '@callsign/gateway/host';

import { fail, pass, type Finding } from './finding.js';

/** Nothing to say without `storage`. */
export async function checkDatabase(
  { storage }: Pick<Settings, 'storage'>,
  env: Environment,
): Promise<Finding[]> {
  if (!storage) return [];
  const problem = await tryStorage(storage, env);
  return [
    problem
      ? fail('database', problem.message, problem.advice)
      : pass('database', 'an instance can use it'),
  ];
}
