// The instances: real processes of `callsign serve`, each with its own state folder, on one database.
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { freePort } from '../free-port.mjs';

const LEDGER = join(dirname(fileURLToPath(import.meta.url)), 'ledger-server.mjs');
export const QUOTA = 120;

/** API keys by the name of their caller. */
export function createKeys(names) {
  return new Map(names.map((name) => [name, `csk_${randomBytes(24).toString('base64url')}`]));
}

export class Gateways {
  /** The times at which an instance was killed. Ends by SIGTERM are not included. */
  kills = [];
  /** How often an instance was ended. */
  ends = 0;
  /** How long each of them took to end, in milliseconds. */
  took = [];
  #options;
  #instances = [];

  /** `command`: the file that starts `callsign`. */
  constructor(options) {
    this.#options = options;
    // A run that breaks off leaves no process behind.
    process.on('exit', () => this.end());
  }

  get ports() {
    return this.#instances.map(({ port }) => port);
  }

  async start(count) {
    for (let number = 0; number < count; number++) {
      const port = await freePort();
      const state = join(this.#options.folder, `instance-${number}`);
      mkdirSync(state, { recursive: true });
      this.#instances.push({ number, port, state, process: undefined, pids: [], errors: '' });
    }
    this.#write();
    await Promise.all(this.#instances.map((instance) => this.#run(instance)));
  }

  /**
   * Ends an instance and starts it again. `SIGKILL` is like a power failure. On `SIGTERM` it
   * drains.
   */
  async endAndRestart(number, signal) {
    const instance = this.#instances[number];
    this.ends++;
    if (signal === 'SIGKILL') this.kills.push(Date.now());
    const ended = once(instance.process, 'exit');
    const start = Date.now();
    process.kill(instance.process.pid, signal);
    await ended;
    this.took.push(Date.now() - start);
    await this.#run(instance);
  }

  /** Suspends an instance for some seconds: it takes connections and answers nothing. Returns when that was. */
  async freeze(number, seconds) {
    const { pid } = this.#instances[number].process;
    const from = Date.now();
    process.kill(pid, 'SIGSTOP');
    try {
      await sleep(seconds * 1_000);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    return { from, to: Date.now() };
  }

  /** The admin APIs of the instances that answer now. */
  async admins() {
    const { findGateways } = await import('../../packages/gateway/dist/admin/index.js');
    const states = this.#instances.map(({ state }) => join(state, 'callsign'));
    return (await Promise.all(states.map((state) => findGateways({ state })))).flat();
  }

  /** The number of the instance with this process. */
  numberOf(pid) {
    return this.#instances.find(({ pids }) => pids.includes(pid))?.number;
  }

  /** The number of the instance that keeps this journal. */
  keeperOf(journal) {
    const isKept = ({ state }) =>
      readdirSync(state, { recursive: true }).some((file) => file.includes(journal));
    return this.#instances.find(isKept)?.number;
  }

  /** Asks all instances to end. */
  async stop() {
    await Promise.all(
      this.#instances.map(async ({ process: running }) => {
        if (running.exitCode !== null || running.signalCode !== null) return;
        running.kill('SIGTERM');
        await once(running, 'exit');
      }),
    );
  }

  get errors() {
    return this.#instances.map(({ errors }) => errors);
  }

  /** Kills the remaining processes, without waiting. */
  end() {
    for (const { process: running } of this.#instances) running?.kill('SIGKILL');
  }

  #write() {
    const { folder, schema, keys, ledger, mode } = this.#options;
    const server = { command: process.execPath, args: [LEDGER], env: { LEDGER_FILE: ledger } };
    const config = {
      mcpServers: { ledger: server, limited: server },
      callsign: {
        storage: { postgres: '${DATABASE_URL}', schema },
        instances: { secrets: ['${CALLSIGN_SECRET}'] },
        auth: { keys: Array.from(keys, ([name, key]) => ({ name, hash: hashOf(key) })) },
        servers: { limited: { quota: { perMinute: QUOTA, queue: 0 } } },
        audit: { arguments: 'redacted', mode },
        policy: {
          destructive: 'confirm',
          confirm: { whenClientCannotAsk: 'wait', timeoutMs: 30_000 },
        },
      },
    };
    writeFileSync(join(folder, 'callsign.json'), JSON.stringify(config));
  }

  async #run(instance) {
    const { command, folder, env } = this.#options;
    const args = [command, 'serve', '--config', join(folder, 'callsign.json')];
    const child = spawn(process.execPath, [...args, '--http', String(instance.port)], {
      env: { ...process.env, ...env, XDG_STATE_HOME: instance.state },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    instance.process = child;
    instance.pids.push(child.pid);
    child.stderr.on('data', (text) => (instance.errors += text));
    for (let tries = 0; tries < 600; tries++) {
      if (child.exitCode !== null) throw new Error(`An instance ended: ${instance.errors}`);
      const ready = await fetch(`http://127.0.0.1:${instance.port}/readyz`).catch(() => undefined);
      await ready?.text();
      if (ready?.status === 200) return;
      await sleep(100);
    }
    throw new Error(`An instance did not become ready: ${instance.errors}`);
  }
}

function hashOf(key) {
  return `sha256:${createHash('sha256').update(key).digest('hex')}`;
}
