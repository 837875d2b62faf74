// Bundles the command for publishing: what starts it is one small file, and each command is read when it is meant.
// Usage: bundle.mjs [FOLDER]; by default the folder `bundle` of the command's package.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Replaces what is in the folder. */
export async function bundle(folder = join(root, 'packages', 'cli', 'bundle')) {
  rmSync(folder, { recursive: true, force: true });
  await build({
    entryPoints: {
      callsign: join(root, 'packages/cli/src/index.ts'),
      // A thread of its own, started by its file.
      'audit-worker': join(root, 'packages/gateway/src/audit/audit-worker.ts'),
    },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minify: true,
    legalComments: 'linked',
    conditions: ['callsign-source'],
    mainFields: ['module', 'main'],
    // Compiled code of its own, and packages that are only there for those who want traces.
    external: ['libsql', '@opentelemetry/*'],
    // Packages that still ask for others the old way.
    banner: {
      js: "import{createRequire as callsignRequire}from'node:module';const require=callsignRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle(process.argv[2]);
