// Bundles the runtime of generated adapter packages: one file of JavaScript from the sources, and one of types.
// Usage: build.mjs, after `tsc -b`; writes into `dist` of the authoring package.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

import { JS_FILE, PACKAGES, stampOf, STAMP_FILE, TYPES_FILE } from './files.mjs';
import { bundleTypes } from '../bundle-types.mjs';

const BANNER =
  '// The runtime of MCPAQL adapters, bundled from the sources of Callsign (MIT licence).';

export async function buildRuntime() {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(PACKAGES, 'mcpaql/src/runtime/adapter-calls.ts')],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['callsign-source'],
    absWorkingDir: PACKAGES,
    // A dependency of the generated package.
    external: ['undici'],
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const needed = Object.values(metafile.outputs).flatMap(({ imports }) => imports);
  const foreign = needed.filter(
    ({ path }) => !/^undici\b/.test(path) && !builtinModules.includes(path.replace('node:', '')),
  );
  if (foreign.length > 0) throw new Error(`The runtime imports ${foreign[0].path}.`);
  const packaged = Object.keys(metafile.inputs).find((path) => path.includes('node_modules'));
  if (packaged) throw new Error(`The runtime contains a third-party package: ${packaged}.`);

  const entry = join(PACKAGES, 'mcpaql/dist/runtime/adapter-calls.d.ts');
  // esbuild writes the path of each source as a comment, which is of no use in a generated package.
  const code = outputFiles[0].text.replace(/^\/\/ [\w./-]+\.ts\n/gm, '');
  mkdirSync(dirname(JS_FILE), { recursive: true });
  writeFileSync(JS_FILE, `${BANNER}\n${code}`);
  const typeInputs = await bundleTypes(entry, TYPES_FILE);
  writeFileSync(TYPES_FILE, `${BANNER}\n${readFileSync(TYPES_FILE, 'utf8')}`);
  const inputs = Object.keys(metafile.inputs).map((path) => join(PACKAGES, path));
  writeFileSync(STAMP_FILE, JSON.stringify(stampOf([...inputs, ...typeInputs])));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildRuntime();
