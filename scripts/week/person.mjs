// The person of `npm run week`: a home folder of their own, their configuration, and all processes of that home.
import { spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const COMMAND = join(ROOT, 'packages', 'cli', 'bin', 'callsign.cjs');
const PLAIN = join(ROOT, 'test', 'fixtures', 'plain-child.mjs');
/** How long `connect` waits for a gateway. A busy machine starts one slowly. */
const CONNECT_MS = 40_000;
export const FOLDERS = ['red', 'green', 'blue'];

export class Person {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'callsign-week-')));
  config = join(this.home, 'mcp.json');
  #run = join(this.home, 'state', 'callsign', 'run');

  constructor() {
    for (const name of FOLDERS) {
      const folder = this.folder(name);
      mkdirSync(folder);
      writeFileSync(join(folder, 'note.txt'), `a note of ${name}`);
      // A server with a relative path: each folder has its own.
      writeFileSync(
        join(folder, 'server.mjs'),
        `process.env.WEEK_FOLDER = '${name}';\nawait import('${pathToFileURL(PLAIN).href}');\n`,
      );
    }
    mkdirSync(this.folder('base'));
    this.writeConfig({ hasExtra: false });
  }

  folder(name) {
    return join(this.home, name);
  }

  env(more = {}) {
    const { PATH, LANG = 'C.UTF-8' } = process.env;
    const state = join(this.home, 'state');
    const own = { PATH, LANG, HOME: this.home, XDG_STATE_HOME: state, TMPDIR: this.home };
    return { ...own, CALLSIGN_CONNECT_MS: String(CONNECT_MS), ...more };
  }

  writeConfig({ hasExtra }) {
    const node = process.execPath;
    const plain = (name, more = {}) => ({
      command: node,
      args: [PLAIN, `--name=${name}`],
      ...more,
    });
    const mcpServers = {
      plain: plain('plain'),
      token: plain('token', { env: { TOKEN: '${WEEK_TOKEN}' } }),
      local: { command: node, args: ['./server.mjs', '--name=local'] },
      mine: plain('mine'),
      files: { command: node, args: [official('filesystem'), this.folder('base')] },
      memory: {
        command: node,
        args: [official('memory')],
        env: { MEMORY_FILE_PATH: join(this.home, 'memory.jsonl') },
      },
      every: { command: node, args: [official('everything')] },
      ...(hasExtra ? { extra: plain('extra') } : {}),
    };
    const servers = {
      plain: { idleStopMs: 1_500 },
      token: { idleStopMs: 1_000 },
      local: { idleStopMs: 2_000 },
      mine: { share: 'client', idleStopMs: 3_000 },
      files: { idleStopMs: 4_000 },
      memory: { idleStopMs: 3_000 },
    };
    const callsign = { servers, background: { stopAfterMs: 8_000 } };
    writeFileSync(this.config, JSON.stringify({ mcpServers, callsign }, null, 2));
  }

  /** Starts a command. Nothing but JSON-RPC may come on the standard output of `connect`. */
  start(args, { cwd = this.home, env = {} } = {}) {
    return spawn(process.execPath, [COMMAND, ...args, '--config', this.config], {
      cwd,
      env: this.env(env),
    });
  }

  /** Runs a command to its end. */
  async run(...args) {
    const child = this.start(args);
    let said = '';
    child.stdout.on('data', (text) => (said += text));
    child.stderr.on('data', (text) => (said += text));
    const code = await new Promise((done) => child.once('close', done));
    return { code, said };
  }

  /** All processes whose home is this person's. */
  processes() {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => ({ pid: Number(name), line: textOf(`/proc/${name}/cmdline`).split('\0') }))
      .filter(({ pid }) =>
        textOf(`/proc/${pid}/environ`).split('\0').includes(`HOME=${this.home}`),
      );
  }

  gateways() {
    return this.processes().filter(({ line }) => line.includes('--background'));
  }

  /** The processes of a server, by the name in its command line. */
  serverProcesses(name) {
    return this.processes().filter(({ line }) => line.includes(`--name=${name}`));
  }

  /** The sockets of gateways in the folder, by name. */
  sockets() {
    try {
      return readdirSync(this.#run);
    } catch {
      return [];
    }
  }

  removeSocket() {
    for (const name of this.sockets()) {
      if (name.endsWith('.gw')) rmSync(join(this.#run, name), { force: true });
    }
  }

  /** How many processes listen for clients, even if the file of their socket is gone. */
  listeners() {
    const isListening = '00010000';
    return textOf('/proc/net/unix')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((parts) => parts[3] === isListening && parts[7]?.startsWith(this.#run))
      .filter((parts) => parts[7].includes('.gw')).length;
  }

  /** The last lines that the gateways wrote. */
  log() {
    const folder = join(this.home, 'state', 'callsign', 'logs');
    try {
      return readdirSync(folder)
        .map((name) => textOf(join(folder, name)))
        .join('\n');
    } catch {
      return '';
    }
  }

  remove() {
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

function official(name) {
  const require = createRequire(import.meta.url);
  const manifest = require.resolve(`@modelcontextprotocol/server-${name}/package.json`);
  const { bin } = require(manifest);
  return join(dirname(manifest), Object.values(bin)[0]);
}

export function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

/** Memory in use, in megabytes. */
export function memoryOf(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
}

function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
