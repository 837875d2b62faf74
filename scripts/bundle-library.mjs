// Bundles the libraries: our code in one file per export, its types in another. Packages of others stay imports, and
// must be dependencies of the library. Usage: bundle-library.mjs [NAME…], after `tsc -b`; writes into `bundle` of
// each package.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

import { buildState } from './build-state.mjs';
import { WORKERS } from './workers.mjs';

const MODULES = fileURLToPath(new URL('../node_modules', import.meta.url));
const PACKAGES = fileURLToPath(new URL('../packages', import.meta.url));
/** The libraries, lower ones first, and the files that they start by path. */
const LIBRARIES = { toolkit: {}, lightdash: {}, gateway: WORKERS };
/** The code asks for it when the first condition is read, not with an import. */
const REQUIRED_LATER = ['@marcbachmann/cel-js'];

async function bundleLibrary(name) {
  const home = join(PACKAGES, name);
  const folder = join(home, 'bundle');
  const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  const entries = Object.values(manifest.exports)
    .filter((entry) => entry.types)
    .map((entry) => ({ name: basename(entry.default, '.js'), source: entry['callsign-source'] }));
  const { metafile, outputFiles } = await build({
    entryPoints: {
      ...Object.fromEntries(entries.map((entry) => [entry.name, join(home, entry.source)])),
      ...LIBRARIES[name],
    },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    conditions: ['callsign-source'],
    plugins: [othersStay],
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  requireDeclared(manifest, metafile);
  replaceFiles(folder, outputFiles);
  // Bundling types takes seconds.
  const state = `${buildState()} ${entries.map((entry) => entry.name).join()}`;
  const stamp = join(MODULES, `.callsign-types-${name}`);
  const files = entries.map((entry) => join(folder, `${entry.name}.d.ts`));
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state && files.every(existsSync)) return;
  const { bundleTypes } = await import('./bundle-types.mjs');
  for (const [i, { source }] of entries.entries()) {
    const compiled = source.replace('./src/', 'dist/').replace(/\.ts$/, '.d.ts');
    await bundleTypes(join(home, compiled), files[i]);
  }
  writeFileSync(stamp, state);
}

/** Only our own packages are bundled. */
const othersStay = {
  name: 'others-stay',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@callsign/')
        ? undefined
        : { path, external: true },
    );
  },
};

function requireDeclared(manifest, { outputs }) {
  const { name, dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = manifest;
  const declared = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  const needed = Object.values(outputs)
    .flatMap(({ imports }) => imports)
    .filter(({ external, path }) => external && !builtinModules.includes(path.replace('node:', '')))
    .map(({ path }) => path.split('/', path.startsWith('@') ? 2 : 1).join('/'))
    .concat(name === '@callsign/gateway' ? REQUIRED_LATER : []);
  const missing = [...new Set(needed)].filter((each) => !declared.includes(each));
  const unused = Object.keys(dependencies).filter((each) => !needed.includes(each));
  if (missing.length > 0) throw new Error(`${name} must depend on ${missing.join(', ')}.`);
  if (unused.length > 0) throw new Error(`${name} does not use ${unused.join(', ')}.`);
}

/** A process may load the files at this moment, so each is replaced in one step, and only if it changed. */
function replaceFiles(folder, files) {
  mkdirSync(folder, { recursive: true });
  for (const { path, contents } of files) {
    if (existsSync(path) && readFileSync(path).equals(contents)) continue;
    writeFileSync(`${path}.${process.pid}`, contents);
    renameSync(`${path}.${process.pid}`, path);
  }
  const names = new Set(files.map(({ path }) => basename(path)));
  for (const name of readdirSync(folder)) {
    if (!names.has(name) && !name.endsWith('.d.ts')) rmSync(join(folder, name), { force: true });
  }
}

for (const name of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(LIBRARIES)) {
  await bundleLibrary(name);
}
