/** Adapters from their files, or everything that is wrong with them. */

import type { Problem } from '@callsign/config';
import { loadAdapter, nameClashes, type Adapter } from '@callsign/mcpaql';

import { configPath } from '../command/config-path.js';
import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';

export async function requireAdapter(path: string): Promise<Adapter> {
  const [adapter] = await requireAdapters([path]);
  return adapter!;
}

/** All of them, fit to be served together. */
export async function requireAdapters(paths: readonly string[]): Promise<Adapter[]> {
  const results = await Promise.all(paths.map((path) => loadAdapter(configPath(path))));
  const problems = results.flatMap((result) => (result.ok ? [] : result.problems));
  if (problems.length > 0) {
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
    const which = paths.length === 1 ? 'The adapter has' : 'The adapters have';
    throw new Failure({
      exit: EXIT.config,
      code: 'invalid-adapter',
      message: `${which} ${count}.`,
      // They have the form of those of a configuration, and codes of their own.
      problems: problems as unknown as readonly Problem[],
    });
  }
  const adapters = results.flatMap((result) => (result.ok ? result.adapter : []));
  const [clash] = nameClashes(adapters);
  if (clash) throw new Failure({ exit: EXIT.config, code: 'name-clash', message: clash.message });
  return adapters;
}
