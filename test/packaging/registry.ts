/** A real registry on loopback, for what tests publish. Other packages come from the usual registry. */

import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '../../scripts/free-port.mjs';
import { installFolder } from '../../scripts/install-folder.mjs';

const HERE = join(import.meta.dirname, 'registry');
const START_MS = 30_000;

export interface Registry {
  readonly url: string;
  /** For `.npmrc` of a project. The user's own settings stay in effect. */
  readonly settings: string;
  /** For the environment of npm. */
  readonly env: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

/** `folder`: for its storage. */
export async function startRegistry(folder: string): Promise<Registry> {
  const trouble = installFolder(HERE);
  if (trouble !== undefined) throw new Error(`The registry is missing: ${trouble}`);
  const port = await freePort();
  mkdirSync(folder, { recursive: true });
  const config = join(folder, 'config.json');
  writeFileSync(
    config,
    JSON.stringify({
      storage: join(folder, 'storage'),
      packages: { '**': { access: '$all', publish: '$all' } },
      max_body_size: '100mb',
      log: { type: 'stdout', format: 'json', level: 'error' },
    }),
  );
  const bin = createRequire(join(HERE, 'package.json')).resolve('verdaccio/bin/verdaccio');
  const child = spawn(
    process.execPath,
    [bin, '--config', config, '--listen', `127.0.0.1:${port}`],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  await answering(port);
  const url = `http://127.0.0.1:${port}/`;
  const token = `//127.0.0.1:${port}/:_authToken=nobody`;
  return {
    url,
    settings: `@callsign:registry=${url}\n${token}\naudit=false\nfund=false\n`,
    env: withoutNpm(),
    async stop() {
      child.kill();
      await ended;
    },
  };
}

/** npm passes its own settings on to what it runs, and they would win over ours. */
function withoutNpm(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
}

async function answering(port: number): Promise<void> {
  const until = Date.now() + START_MS;
  while (Date.now() < until) {
    const isOpen = await new Promise<boolean>((done) => {
      const socket = connect(port, '127.0.0.1', () => done(true)).once('error', () => done(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isOpen) return;
    await sleep(100);
  }
  throw new Error('The registry did not start.');
}
