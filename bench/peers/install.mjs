// Installs the peers into this folder, from the lock file, when it has changed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const HERE = import.meta.dirname;
const STAMP = join(HERE, 'node_modules/.callsign-peers');
const INSTALL_MS = 120_000;

/** Why the peers could not be installed; `undefined` if they are installed. */
export function installPeers() {
  const lock = readFileSync(join(HERE, 'package-lock.json'));
  const wanted = createHash('sha256').update(lock).digest('hex');
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return undefined;
  process.stderr.write('Installing the peers (only when their lock file has changed) …\n');
  const { npm_execpath: npm } = process.env;
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--engine-strict=false'];
  const options = { cwd: HERE, stdio: ['ignore', 2, 2], timeout: INSTALL_MS };
  const { status } = npm
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  if (status !== 0) return 'they could not be installed (is the registry reachable?)';
  writeFileSync(STAMP, wanted);
  return undefined;
}

/** The versions that are installed, by name. */
export function peerVersions() {
  const { dependencies } = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8'));
  return dependencies;
}
