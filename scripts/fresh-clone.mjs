// Clones the last commit into a new folder and runs every command of the README there: first `npm
// start`, with nothing installed, then the test of the README. Needs only Node, git and npm.
// Usage: npm run test:clone
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
/** The first start installs and compiles everything. */
const PATIENCE_MS = 15 * 60_000;

const folder = mkdtempSync(join(tmpdir(), 'callsign-clone-'));
const clone = join(folder, 'callsign');
const { PATH, HTTPS_PROXY, npm_config_registry: registry } = process.env;
/** The environment of a new terminal, and the variables that npm needs to reach its registry. */
const env = {
  PATH,
  HOME: join(folder, 'home'),
  TERM: 'xterm',
  ...(HTTPS_PROXY === undefined ? {} : { HTTPS_PROXY }),
  ...(registry === undefined ? {} : { npm_config_registry: registry }),
};

try {
  run('git', ['clone', '--quiet', '--no-hardlinks', ROOT, clone], folder);
  await startShowcase();
  run('npx', ['vitest', 'run', '--config', 'test/clone/vitest.config.ts'], clone);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(program, args, cwd) {
  const { status } = spawnSync(program, args, { cwd, env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${[program, ...args].join(' ')} ended with ${status}.`);
}

/** Runs `npm start` until it prints how to stop it and its endpoint answers. */
async function startShowcase() {
  const child = spawn('npm', ['start'], {
    cwd: clone,
    env: { ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    const printed = await said(child, /Stop with Ctrl-C/);
    const [, endpoint] = /one endpoint: (\S+)\/mcp/.exec(printed);
    const { status } = await fetch(`${endpoint}/healthz`);
    if (status !== 200) throw new Error(`${endpoint}/healthz answers ${status}.`);
  } finally {
    process.kill(-child.pid, 'SIGTERM');
    await ended;
  }
}

function said(child, pattern) {
  return new Promise((resolve, reject) => {
    let printed = '';
    const fail = (why) => reject(new Error(`npm start ${why}:\n${printed}`));
    const timer = setTimeout(() => fail('was not ready in time'), PATIENCE_MS);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        process.stdout.write(text);
        printed += text;
        if (!pattern.test(printed)) return;
        clearTimeout(timer);
        resolve(printed);
      });
    }
    child.once('exit', (code) => {
      clearTimeout(timer);
      fail(`ended with ${code}`);
    });
  });
}
