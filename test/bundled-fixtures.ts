/** The servers of test/fixtures, each in one file: tests start them a thousand times, and many small modules load slowly. */

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { build } from 'esbuild';

import { ROOT } from './architecture/tree.js';

/** Inside the repository, so that Node finds what is not in the bundle. */
const FOLDER = join(ROOT, 'node_modules', '.callsign-fixtures');
/** `grandchild` is started by a faulty child, and found beside it. */
const SERVERS = [
  'everything',
  'extended-child',
  'faulty-child',
  'plain-child',
  'faulty/grandchild',
];

/** Returns the folder with the bundled servers, under their own names. */
export async function bundleFixtures(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: Object.fromEntries(
      SERVERS.map((name) => [name.split('/').at(-1)!, join(ROOT, 'test/fixtures', `${name}.mjs`)]),
    ),
    outdir: FOLDER,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    write: false,
    logLevel: 'warning',
  });
  for (const { path, contents } of outputFiles) replace(path, contents);
  return FOLDER;
}

/** In one step, and only if it has changed: another run may start it at this moment. */
function replace(path: string, contents: Uint8Array): void {
  if (existsSync(path) && readFileSync(path).equals(contents)) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, contents);
  renameSync(`${path}.${process.pid}`, path);
}
