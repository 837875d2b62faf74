// Bundles the command for publishing. One small file starts it and loads each command on demand. `serve`, which
// clients start, contains nothing that only other commands need. Its code is one CommonJS file, because Node 20
// takes compiled code only for such files. Usage: bundle.mjs [FOLDER]; by default the folder `bundle` of the
// command's package.
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

import { buildRuntime } from './adapter-runtime/build.mjs';
import { JS_FILE } from './adapter-runtime/files.mjs';
import { buildConsole } from './console/build.mjs';
import { DIST as CONSOLE, isConsoleStale } from './console/files.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = join(root, 'packages/cli/src');
const serve = join(sources, 'serve/serve.ts');
/** Loads the file of `serve`. */
const serveLoader = join(sources, 'serve/bundled-serve.ts');
/** Answers before `serve` is loaded, so it shares no code with it. */
const firstWord = join(sources, 'first-word/first-word.ts');
/** What a client's start needs. */
const START_FILES = [serve, firstWord];
/** Packages that `serve` loads on demand. Each has its own file, because a start reads all of the file of `serve`. */
const ON_DEMAND = ['@clack/prompts', '@modelcontextprotocol/client', 'jose', 'prom-client'];
const importModule = join(root, 'packages/gateway/src/imports/import-module.ts');
/** Files of worker threads. The command looks for them in its own folder. */
const workers = {
  'upkeep-worker': join(root, 'packages/audit/src/upkeep/upkeep-worker.ts'),
  'query-worker': join(root, 'packages/audit/src/query/query-worker.ts'),
};

/** Replaces the content of the folder. */
export async function bundle(folder = join(root, 'packages', 'cli', 'bundle')) {
  rmSync(folder, { recursive: true, force: true });
  const later = new Set();
  const plugins = [apart(later)];
  await bundleInto(folder, { callsign: join(sources, 'index.ts') }, { ...COMMON_JS, plugins });
  for (const file of START_FILES) later.delete(file);
  const commands = Object.fromEntries(Array.from(later, (file) => [nameOf(file), file]));
  const banner = { js: ASKING_THE_OLD_WAY };
  await bundleInto(folder, { ...commands, ...workers }, { banner });
  await bundleInto(join(folder, 'serve'), workers, { banner });
  await bundleInto(join(folder, 'serve'), { serve: serveLoader }, COMMON_JS);
  await bundleInto(join(folder, 'serve'), { 'serve-code': serve }, ONE_FILE);
  requireAscii(join(folder, 'serve', 'serve-code.cjs'));
  const packages = Object.fromEntries(ON_DEMAND.map((name) => [fileNameOf(name), name]));
  await bundleInto(join(folder, 'serve'), packages, COMMON_JS);
  await bundleInto(join(folder, 'serve'), { 'import-module': importModule }, COMMON_JS);
  await bundleInto(folder, { [nameOf(firstWord)]: firstWord }, COMMON_JS);
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

/** Some packages still call `require`, which ES modules do not have. */
const ASKING_THE_OLD_WAY =
  "import{createRequire as callsignRequire}from'node:module';const require=callsignRequire(import.meta.url);";

/** CommonJS has no `import.meta`, and esbuild cannot split it. */
const COMMON_JS = {
  format: 'cjs',
  splitting: false,
  outExtension: { '.js': '.cjs' },
  define: { 'import.meta.url': 'callsignUrl' },
  banner: {
    js: "'use strict';const callsignUrl=require('node:url').pathToFileURL(__filename).href;",
  },
};

/** Code that was compiled at an earlier start cannot import modules. A file beside it does. */
const ONE_FILE = {
  ...COMMON_JS,
  plugins: [
    {
      name: 'import-module',
      setup({ onResolve }) {
        const path = './import-module.cjs';
        onResolve({ filter: /\/import-module\.js$/ }, () => ({ path, external: true }));
      },
    },
    loadedLater(['dns', 'http', 'https', 'readline', 'worker_threads', 'zlib']),
    inOwnFiles(ON_DEMAND),
  ],
};

/** Parts of Node that a start does not need until its servers have been started. Each takes up to 4 ms to load. */
function loadedLater(names) {
  const filter = new RegExp(`^node:(${names.join('|')})$`);
  return {
    name: 'loaded-later',
    setup({ onLoad, onResolve }) {
      onResolve({ filter }, ({ path, namespace }) =>
        namespace === 'later' ? { path, external: true } : { path, namespace: 'later' },
      );
      onLoad({ filter, namespace: 'later' }, ({ path }) => ({
        contents: [
          "Object.defineProperty(exports, '__esModule', { value: true });",
          ...['default', ...Object.keys(createRequire(import.meta.url)(path))].map((name) => {
            const member = name === 'default' ? '' : `.${name}`;
            return `Object.defineProperty(exports, '${name}', { enumerable: true, get: () => require('${path}')${member} });`;
          }),
        ].join(''),
      }));
    },
  };
}

/** Leaves out dynamic imports, and notes them: each is bundled separately. */
function apart(later) {
  return {
    name: 'apart',
    setup(steps) {
      steps.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
        if (kind !== 'dynamic-import') return undefined;
        const file = resolve(resolveDir, path).replace(/\.js$/, '.ts');
        later.add(file);
        return START_FILES.includes(file)
          ? { path: `./${nameOf(file)}.cjs`, namespace: REQUIRED }
          : { path: `./${nameOf(file)}.js`, external: true };
      });
      requireFiles(steps);
    },
  };
}

/** Leaves out dynamic imports of these packages: each is bundled separately. */
function inOwnFiles(names) {
  return {
    name: 'in-own-files',
    setup(steps) {
      steps.onResolve({ filter: /^[^.]/ }, ({ kind, path }) =>
        kind === 'dynamic-import' && names.includes(path)
          ? { path: `./${fileNameOf(path)}.cjs`, namespace: REQUIRED }
          : undefined,
      );
      requireFiles(steps);
    },
  };
}

const REQUIRED = 'required';

/** Node takes longer to import a CommonJS file than to require it. */
function requireFiles({ onLoad, onResolve }) {
  onLoad({ filter: /^/, namespace: REQUIRED }, ({ path }) => ({
    contents: `module.exports = require(${JSON.stringify(path)});`,
  }));
  onResolve({ filter: /^/, namespace: REQUIRED }, ({ path }) => ({ path, external: true }));
}

/** The loader reads one byte as one character. esbuild escapes other characters, but not in regular expressions. */
function requireAscii(file) {
  const [found] = readFileSync(file, 'utf8').match(/.{0,60}[^\0-\x7f]/u) ?? [];
  if (found !== undefined) throw new Error(`Write this with an escape: ${found}`);
}

function nameOf(file) {
  return relative(sources, file).replace(/\.ts$/, '').replaceAll('\\', '/');
}

function fileNameOf(name) {
  return name.replace(/^@/, '').replace('/', '-');
}

function bundleInto(outdir, entryPoints, options) {
  return build({
    entryPoints,
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minify: true,
    legalComments: 'linked',
    conditions: ['callsign-source'],
    mainFields: ['module', 'main'],
    // Compiled code, packages that are loaded on demand, and packages for traces.
    external: ['libsql', 'pg', '@marcbachmann/cel-js', '@opentelemetry/*'],
    logLevel: 'warning',
    ...options,
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle(process.argv[2]);
