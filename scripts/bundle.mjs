// Bundles the command for publishing. One small file starts it and loads each command on demand. Usage: bundle.mjs
// [FOLDER]; by default the folder `bundle` of the command's package.
import { cpSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

import { buildRuntime } from './adapter-runtime/build.mjs';
import { JS_FILE } from './adapter-runtime/files.mjs';
import { buildConsole } from './console/build.mjs';
import { DIST as CONSOLE, isConsoleStale } from './console/files.mjs';
import { WORKERS } from './workers.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = join(root, 'packages/cli/src');

/** Replaces the content of the folder. `options` of esbuild. */
export async function bundle(folder = join(root, 'packages', 'cli', 'bundle'), options = {}) {
  rmSync(folder, { recursive: true, force: true });
  const later = new Set();
  const entries = { callsign: join(sources, 'index.ts') };
  await bundleInto(folder, entries, { ...COMMON_JS, ...options, plugins: [apart(later)] });
  const [serve, others] = [[...later].filter(isServe), [...later].filter((file) => !isServe(file))];
  // Alone, so that it shares nothing with the others: it is in few large files, which load faster than many small ones.
  await bundleInto(folder, serve, { ...ES_MODULES, ...options });
  await bundleInto(folder, [...others, ...Object.values(WORKERS)], { ...ES_MODULES, ...options });
  // `adapter generate` writes these two files into each package, and looks for them here.
  await buildRuntime();
  cpSync(dirname(JS_FILE), join(folder, 'runtime'), { recursive: true });
  // The gateway serves these files, and looks for them here.
  if (isConsoleStale()) await buildConsole();
  cpSync(CONSOLE, join(folder, 'console'), {
    recursive: true,
    filter: (file) => !file.endsWith('.inputs.json'),
  });
}

/** The command that clients start and wait for. */
function isServe(file) {
  return basename(file) === 'serve.ts';
}

/** Some packages still call `require`, which ES modules do not have. */
const ES_MODULES = {
  format: 'esm',
  splitting: true,
  banner: {
    js: "import{createRequire as callsignRequire}from'node:module';const require=callsignRequire(import.meta.url);",
  },
};

/** The first ES module adds about 9 ms to a start. CommonJS has no `import.meta`. */
const COMMON_JS = {
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  define: { 'import.meta.url': 'callsignUrl' },
  banner: {
    js: "'use strict';const callsignUrl=require('node:url').pathToFileURL(__filename).href;",
  },
};

/** Leaves out dynamic imports, and notes them: each is a file of its own. */
function apart(later) {
  return {
    name: 'apart',
    setup({ onResolve }) {
      onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
        // Every client has a `connect` running. Without ES modules it starts faster and needs less memory.
        if (kind !== 'dynamic-import' || basename(path) === 'connect.js') return undefined;
        const file = resolve(resolveDir, path).replace(/\.js$/, '.ts');
        later.add(file);
        return { path: `./${basename(file, '.ts')}.js`, external: true };
      });
    },
  };
}

function bundleInto(outdir, entryPoints, options) {
  return build({
    entryPoints,
    entryNames: '[name]',
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node20',
    minify: true,
    legalComments: 'linked',
    conditions: ['callsign-source'],
    mainFields: ['module', 'main'],
    // Compiled code, packages that are loaded on demand, and packages for traces.
    external: [
      'libsql',
      'pg',
      '@marcbachmann/cel-js',
      '@napi-rs/keyring',
      '@opentelemetry/*',
      'quickjs-emscripten-core',
      '@jitl/*',
    ],
    logLevel: 'warning',
    ...options,
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle(process.argv[2]);
