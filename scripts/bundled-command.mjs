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
  symlinkSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { bundle } from './bundle.mjs';
import { buildConsole } from './console/build.mjs';
import { isConsoleStale } from './console/files.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Inside the repository, so that Node finds the packages that are not in the bundle. */
const FOLDER = join(ROOT, 'node_modules', '.callsign-command');
const COMMAND = join('packages', 'cli', 'bin', 'callsign.cjs');
/** Where the command of the working copy looks. */
const LINK = join(ROOT, 'packages', 'cli', 'bundle');
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
  link(join(folder, 'bundle'));
  return bin;
}

/** The same with the real names of functions and a source map, for profiles. */
export async function readableCommand() {
  const folder = join(FOLDER, 'readable');
  rmSync(folder, { recursive: true, force: true });
  await bundleInto(folder, { minify: false, sourcemap: true });
  return join(folder, 'bin', 'callsign.cjs');
}

/**
 * Replaces the link in one step, because the command may start at this moment. The link is relative, so that it leads
 * to the same bundle in a copied or moved working copy.
 */
function link(bundled) {
  const draft = `${LINK}.${process.pid}`;
  symlinkSync(relative(dirname(LINK), bundled), draft, 'junction');
  try {
    renameSync(draft, LINK);
  } catch {
    // After packing there is a real folder instead of a link.
    rmSync(LINK, { recursive: true, force: true });
    renameSync(draft, LINK);
  }
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

/** Changes with every source file, because the compiler's build information files change too. */
function fingerprint() {
  const records = readdirSync(join(ROOT, 'packages')).map((name) =>
    join('packages', name, 'dist', '.tsbuildinfo'),
  );
  const hash = createHash('sha256');
  const own = [COMMAND, CONSOLE, join('scripts', 'bundle.mjs'), 'package-lock.json'];
  for (const file of [...records, ...own]) {
    if (existsSync(join(ROOT, file))) hash.update(readFileSync(join(ROOT, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await bundledCommand());
