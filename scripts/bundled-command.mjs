// The command as it is published, bundled once for each state of the sources. Tests and the benchmark start it,
// and the command of the working copy runs it. Usage: bundled-command.mjs;
// prints the file to start. The packages must be built.
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { buildState } from './build-state.mjs';
import { bundle } from './bundle.mjs';
import { buildConsole } from './console/build.mjs';
import { isConsoleStale } from './console/files.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Inside the repository, so that Node finds the packages that are not in the bundle. */
const FOLDER = join(ROOT, 'node_modules', '.callsign-command');
const COMMAND = join('packages', 'cli', 'bin', 'callsign.cjs');
/** Where the command of the working copy looks. */
const OWN = join(ROOT, 'packages', 'cli', 'bundle');
/** Names its scripts by a hash of their content. */
const CONSOLE = join('apps', 'console', 'dist', 'index.html');
/** Older bundles are removed. A run that started within a day may still use its bundle. */
const KEEP_MS = 24 * 60 * 60 * 1_000;

/** Bundles what is built now, unless that was done before. Returns the file to start. */
export async function bundledCommand() {
  if (isConsoleStale()) await buildConsole();
  const folder = join(FOLDER, fingerprint());
  const bin = join(folder, 'bin', 'callsign.cjs');
  if (!existsSync(bin)) await bundleInto(folder);
  replaceOwn(join(folder, 'bundle'));
  return bin;
}

/** Bundles what is built, with the real names of functions and a source map, for profiles. */
export async function readableCommand() {
  const folder = join(FOLDER, 'readable');
  rmSync(folder, { recursive: true, force: true });
  await bundleInto(folder, { minify: false, sourcemap: true });
  return join(folder, 'bin', 'callsign.cjs');
}

/**
 * A real folder, not a link: `npm pack` leaves links out, and a copied or moved working copy keeps it. Replaced only if
 * it has changed, because the command may run from it at this moment.
 */
function replaceOwn(bundled) {
  if (hasSameFiles(bundled, OWN)) return;
  const [draft, old] = [`${OWN}.new.${process.pid}`, `${OWN}.old.${process.pid}`];
  cpSync(bundled, draft, { recursive: true });
  if (existsSync(OWN)) renameSync(OWN, old);
  renameSync(draft, OWN);
  rmSync(old, { recursive: true, force: true });
}

function hasSameFiles(one, other) {
  const [ours, theirs] = [one, other].map((folder) => (existsSync(folder) ? filesIn(folder) : []));
  return (
    ours.join() === theirs.join() &&
    ours.every((name) => readFileSync(join(one, name)).equals(readFileSync(join(other, name))))
  );
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted();
}

async function bundleInto(folder, options) {
  removeOld();
  // Written to a folder of its own and renamed, because another run may do the same at this moment.
  const draft = `${folder}.${process.pid}`;
  mkdirSync(join(draft, 'bin'), { recursive: true });
  cpSync(join(ROOT, COMMAND), join(draft, 'bin', 'callsign.cjs'));
  cpSync(join(ROOT, 'packages', 'cli', 'package.json'), join(draft, 'package.json'));
  await bundle(join(draft, 'bundle'), options);
  try {
    renameSync(draft, folder);
  } catch {
    rmSync(draft, { recursive: true, force: true });
  }
}

function removeOld() {
  if (!existsSync(FOLDER)) return;
  for (const name of readdirSync(FOLDER)) {
    const folder = join(FOLDER, name);
    if (Date.now() - statSync(folder).mtimeMs < KEEP_MS) continue;
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Changes with everything that is bundled, and with how. */
function fingerprint() {
  const hash = createHash('sha256').update(buildState());
  for (const file of [COMMAND, CONSOLE, join('scripts', 'bundle.mjs'), 'package-lock.json']) {
    if (existsSync(join(ROOT, file))) hash.update(readFileSync(join(ROOT, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await bundledCommand());
