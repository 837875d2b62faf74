// Bundles the command for publishing: what starts it is one small file, and each command is read when it is meant.
// What clients start is a file by itself, with nothing in it that other commands need.
// Usage: bundle.mjs [FOLDER]; by default the folder `bundle` of the command's package.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Replaces what is in the folder. */
export async function bundle(folder = join(root, 'packages', 'cli', 'bundle')) {
  rmSync(folder, { recursive: true, force: true });
  // A thread of its own, started by its file, which it looks for beside it.
  const worker = { 'audit-worker': join(root, 'packages/gateway/src/audit/audit-worker.ts') };
  const serve = { serve: join(root, 'packages/cli/src/serve.ts') };
  const commands = { callsign: join(root, 'packages/cli/src/index.ts') };
  await bundleInto(join(folder, 'serve'), { ...serve, ...worker });
  await bundleInto(folder, { ...commands, ...worker }, [leaveServeOut]);
}

/** The other commands know where it is. */
const leaveServeOut = {
  name: 'leave-serve-out',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/serve\.js$/ }, () => ({ path: './serve/serve.js', external: true }));
  },
};

function bundleInto(outdir, entryPoints, plugins = []) {
  return build({
    entryPoints,
    outdir,
    plugins,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minify: true,
    legalComments: 'linked',
    conditions: ['callsign-source'],
    mainFields: ['module', 'main'],
    // Compiled code, what is only loaded where it is needed, and packages for those who want traces.
    external: ['libsql', '@marcbachmann/cel-js', '@opentelemetry/*'],
    // Packages that still ask for others the old way.
    banner: {
      js: "import{createRequire as callsignRequire}from'node:module';const require=callsignRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle(process.argv[2]);
