// Installs a folder that has its own lock file, when that has changed. For what only some commands need.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const INSTALL_MS = 180_000;

/** Returns why it could not be installed, or `undefined` if it is installed. */
export function installFolder(folder) {
  const stamp = join(folder, 'node_modules/.callsign-installed');
  const lock = readFileSync(join(folder, 'package-lock.json'));
  const wanted = createHash('sha256').update(lock).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return undefined;
  process.stderr.write(`Installing ${folder} (only when its lock file has changed) …\n`);
  const { npm_execpath: npm } = process.env;
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--engine-strict=false'];
  const options = { cwd: folder, stdio: ['ignore', 2, 2], timeout: INSTALL_MS };
  const { status } = npm
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  if (status !== 0) return 'it could not be installed (is the registry reachable?)';
  writeFileSync(stamp, wanted);
  return undefined;
}
