// The gateway under test: the real command, on its own port. It is ready when its server is.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '..');
const PATIENCE_MS = 20_000;

/** `name`: that of its configuration in this folder. */
export async function startGateway(name) {
  const command = join(ROOT, 'packages/cli/bin/callsign.cjs');
  const config = join(import.meta.dirname, name);
  const child = spawn(process.execPath, [command, 'serve', '--config', config, '--http', '0'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const url = await addressOf(child);
  await whenReady(new URL('/healthz', url));
  return {
    url,
    async stop() {
      const gone = new Promise((resolve) => {
        child.once('close', resolve);
      });
      child.kill('SIGTERM');
      await gone;
    },
  };
}

function addressOf(child) {
  let said = '';
  return new Promise((resolve, reject) => {
    child.once('close', (code) => reject(new Error(`The gateway ended with ${code}: ${said}`)));
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said += text;
      const url = /listens on (\S+)/.exec(said)?.[1];
      if (url) resolve(url);
    });
  });
}

async function whenReady(health) {
  const end = Date.now() + PATIENCE_MS;
  while (Date.now() < end) {
    const { servers } = await (await fetch(health)).json();
    if (servers.every(({ state }) => state.is === 'ready')) return;
    await pause(50);
  }
  throw new Error('The fixture behind the gateway did not start.');
}
