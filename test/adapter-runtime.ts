/** Bundles the runtime of generated packages before the tests, if its sources have changed since the build. */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

export async function setup(): Promise<void> {
  // Without a build there are no types to bundle. Only the generator needs them, and it reports
  // that.
  if (!existsSync(join(ROOT, 'packages/mcpaql/dist/runtime'))) return;
  const folder = new URL('../scripts/adapter-runtime/', import.meta.url);
  const { isRuntimeStale } = (await import(new URL('files.mjs', folder).href)) as {
    isRuntimeStale(): boolean;
  };
  if (!isRuntimeStale()) return;
  const { status, stderr } = spawnSync(
    process.execPath,
    [fileURLToPath(new URL('build.mjs', folder))],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
}
