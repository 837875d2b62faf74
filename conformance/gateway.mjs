// The gateway under test: the real command, on its own port. It is ready when its server is.
import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { freePort } from '../scripts/free-port.mjs';

const ROOT = join(import.meta.dirname, '..');
const COMMAND = join(ROOT, 'packages/cli/bin/callsign.cjs');
const PATIENCE_MS = 20_000;

/** `name`: that of its configuration in this folder. */
export async function startGateway(name) {
  const gateway = await serve(join(import.meta.dirname, name), '0', process.env);
  await whenReady(new URL('/healthz', gateway.url));
  return gateway;
}

/** A gateway that people sign in to, from this client, and the key of a person. */
export async function startSignInGateway(client, folder) {
  const port = String(await freePort());
  const origin = `http://127.0.0.1:${port}`;
  const config = join(folder, 'sign-in.json');
  const settings = {
    auth: { keys: [], signIn: { origin, clients: [client] } },
    roles: { reader: { allow: ['*'] } },
  };
  writeFileSync(config, JSON.stringify({ mcpServers: {}, callsign: settings }));
  const env = { ...process.env, XDG_STATE_HOME: join(folder, 'state') };
  const words = ['key', 'add', 'ann', '--roles', 'reader', '--config', config, '--json'];
  const { key } = JSON.parse(
    execFileSync(process.execPath, [COMMAND, ...words], {
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
  return { ...(await serve(config, port, env)), origin, key };
}

async function serve(config, port, env) {
  const child = spawn(process.execPath, [COMMAND, 'serve', '--config', config, '--http', port], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const url = await addressOf(child);
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
