/** Loads adapters from their files, or fails with all their problems. */

import { loadAdapter, nameClashes, type Adapter } from '@callsign/mcpaql';

import { configPath } from '../command/config-path.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';
import type { Where } from '../command/shell.js';

export async function requireAdapter(path: string, where: Where): Promise<Adapter> {
  const [adapter] = await requireAdapters([path], where);
  return adapter!;
}

/** Loads several adapters. Fails too if two of their tools have the same name. */
export async function requireAdapters(paths: readonly string[], where: Where): Promise<Adapter[]> {
  const results = await Promise.all(paths.map((path) => loadAdapter(configPath(path, where))));
  const problems = results.flatMap((result) => (result.ok ? [] : result.problems));
  if (problems.length > 0) {
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
    const which = paths.length === 1 ? 'The adapter has' : 'The adapters have';
    throw new Failure({
      exit: EXIT.config,
      code: 'invalid-adapter',
      message: `${which} ${count}.`,
      problems,
    });
  }
  const adapters = results.flatMap((result) => (result.ok ? result.adapter : []));
  const [clash] = nameClashes(adapters);
  if (clash) throw new Failure({ exit: EXIT.config, code: 'name-clash', message: clash.message });
  return adapters;
}
