// Prepares the working copy: installs from the lock file, compiles, builds the console, and bundles the command, the libraries and
// the runtime of generated packages.
// Each step runs only when it is stale. This file runs before anything is installed, so it uses nothing but Node.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { isRuntimeStale } from './adapter-runtime/files.mjs';
import { isConsoleStale } from './console/files.mjs';
import { deleteStaleOutput } from './stale-output.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stampFile = join(root, 'node_modules', '.callsign-setup');

export function setUp() {
  refuseOldNode();
  if (readOr(stampFile, '') !== wantedStamp()) install();
  console.error('Compiling what has changed …');
  run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b', root]);
  deleteStaleOutput(join(root, 'packages'));
  if (isRuntimeStale()) run(process.execPath, [join(root, 'scripts/adapter-runtime/build.mjs')]);
  if (isConsoleStale()) run(process.execPath, [join(root, 'scripts/console/build.mjs')]);
  run(process.execPath, [join(root, 'scripts/bundle-library.mjs')]);
  run(process.execPath, [join(root, 'scripts/bundled-command.mjs')], 'ignore');
}

function refuseOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(`Callsign needs Node 20.19 or newer; this is ${process.version}.`);
}

function install() {
  console.error('Installing dependencies from the lock file (only when it has changed) …');
  const npm = process.env.npm_execpath;
  const args = ['ci', '--no-audit', '--no-fund'];
  if (npm) run(process.execPath, [npm, ...args]);
  else run('npm', args);
  writeFileSync(stampFile, wantedStamp());
}

/** Identifies the lock file and the platform that the installed tree was made for. */
function wantedStamp() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}\n`;
}

function run(command, args, output = 2) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', output, 'inherit'],
    shell: process.platform === 'win32' && command === 'npm',
  });
  if (error) fail(`Could not run ${command}: ${error.message}`);
  if (status !== 0) fail(`Setting up failed at: ${[command, ...args].join(' ')}`);
}

function readOr(file, otherwise) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return otherwise;
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  setUp();
  if (process.env.npm_lifecycle_event === 'setup') {
    console.error('Callsign is ready. To see what to do next: npx callsign');
  }
}
