// Real clients in front of Callsign: which tools arrive in their requests to the model, with 20
// recorded servers, some of which start slowly. At the second start, every client that waits for
// its servers must send every tool.
// Then each client connects to a tool set, and must send the tools of the set and no others. It connects over HTTP, and
// its command `mcp list` must show Callsign.
// Afterwards six clients run at the same time on one shared gateway (together.mjs), and others sign in (sign-in.mjs).
// Usage: npm run clients [-- --folder FOLDER] [-- --only NAME] [-- --together] [-- --sign-in]
import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { bundledCommand } from '../bundled-command.mjs';
import { startFakeApi } from './fake-api.mjs';
import { REAL_CLIENTS } from './real-clients.mjs';
import { runSignIns, SIGN_IN_CLIENTS } from './sign-in.mjs';
import { runTogether } from './together.mjs';

const ROOT = join(import.meta.dirname, '../..');
const RECORDINGS = join(ROOT, 'test/recordings/servers');
const RECORDED = join(ROOT, 'test/fixtures/recorded-child.mjs');
const SERVERS =
  'brave-search brightdata commands context7 everart everything exa figma filesystem gitlab ' +
  'google-maps memory perplexity playwright postgres puppeteer sequential-thinking';
const SLOW = { slack: 3_000, tavily: 5_000, mapbox: 8_000 };
/** The tool set that each client connects to. */
const SET = { name: 'reading', selects: { labels: ['read'] } };
/** The limit for one turn of a client. Long, because the machine may be busy. */
const PATIENCE_MS = 180_000;
/** The longest answer of the model in the first turn. */
const HOLD_MS = 60_000;

/**
 * A client that does not wait gets the tools of servers that run by then, which depends on the
 * machine.
 */
const TURNS = [
  { label: 'first start', isFirst: true, waits: true, mustBeWhole: false },
  { label: 'second start', isFirst: false, waits: true, mustBeWhole: true },
  { label: 'second start, not waiting', isFirst: false, waits: false, mustBeWhole: false },
];

const { values } = parseArgs({
  options: {
    /** Where clients are installed. Default: a folder that is removed afterwards. */
    folder: { type: 'string' },
    /** The name of the one client to try. */
    only: { type: 'string' },
    /** Only the clients that run at the same time. */
    together: { type: 'boolean', default: false },
    /** Only the clients that sign in. */
    'sign-in': { type: 'boolean', default: false },
  },
});

const entry = (name, ...more) => ({
  command: process.execPath,
  args: [RECORDED, join(RECORDINGS, `${name}.json`), ...more],
});

function serverEntries() {
  return Object.fromEntries([
    ...SERVERS.split(' ').map((name) => [name, entry(name)]),
    ...Object.entries(SLOW).map(([name, ms]) => [name, entry(name, `--delay-start=${ms}`)]),
  ]);
}

const namesIn = (key) =>
  JSON.parse(readFileSync(join(RECORDINGS, `${key}.json`), 'utf8')).tools.map(({ name }) => name);

/** The tools that each server has, by its key. */
function recordedTools(keys) {
  return new Map(keys.map((key) => [key, namesIn(key)]));
}

function install(folder, packages) {
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'package.json')))
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  // Claude Code puts its program in place with an install script. The Inspector asks for a newer Node, but works with 20.
  const own = ['--ignore-scripts=false', '--engine-strict=false'];
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const args = ['install', ...own, ...quiet, ...packages];
  const { status, stderr } = spawnSync(npm, args, { cwd: folder, encoding: 'utf8' });
  return status === 0 ? undefined : stderr.trim().split('\n').at(-1);
}

/**
 * The model API delays the first answer until all servers have started and Callsign has stored
 * their lists.
 */
async function remembered(home, count) {
  const folder = join(home, 'state', 'callsign', 'offers');
  const end = Date.now() + HOLD_MS;
  const files = () => (existsSync(folder) ? readdirSync(folder).length : 0);
  while (files() < count && Date.now() < end) await pause(200);
}

async function answerAtOnce() {}

/** One turn. Resolves with an error of the client program itself, if there was one. */
function takeTurn(program, { args, env }, home) {
  return new Promise((resolve) => {
    const { PATH } = process.env;
    const child = spawn(program, args, {
      cwd: home,
      env: {
        PATH,
        HOME: home,
        XDG_STATE_HOME: join(home, 'state'),
        CI: '1',
        NO_COLOR: '1',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const pipe of [child.stdout, child.stderr]) {
      pipe.setEncoding('utf8').on('data', (text) => (said = (said + text).slice(-2_000)));
    }
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    child.once('error', ({ message }) => {
      clearTimeout(timer);
      resolve(message);
    });
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      const how = signal === null ? `code ${code}` : `${signal} after ${PATIENCE_MS / 1000} s`;
      resolve(
        code === 0
          ? undefined
          : `it ended with ${how}: ${said.trim().split('\n').slice(-3).join(' | ')}`,
      );
    });
  });
}

const flatName = (name) => name.replace(/[^a-z0-9]+/gi, '_').toLowerCase();

/** The servers whose tools are not all in a list of names. */
function missingIn(names, expected) {
  const ours = names.filter((name) => name.includes('callsign')).length;
  const whole = [...expected.values()].flat().length;
  const flat = names.map(flatName);
  const missing = [...expected.keys()].filter((key) => {
    const prefix = key.replace(/[^a-z0-9]+/gi, '_');
    return !flat.some((name) => name.includes(prefix));
  });
  return { ours, whole, missing };
}

async function tryClient(client, command, folder, work) {
  const home = join(work, client.program);
  mkdirSync(home, { recursive: true });
  const servers = serverEntries();
  const expected = recordedTools(Object.keys(servers));
  const config = join(home, 'callsign.json');
  const sets = { [SET.name]: SET.selects };
  writeFileSync(config, JSON.stringify({ mcpServers: servers, callsign: { sets } }));
  const serve = (...more) => ({
    command: process.execPath,
    args: [command, 'serve', '--config', config, '--stdio', ...more],
  });
  const callsign = serve();
  const program = join(folder, 'node_modules', '.bin', client.program);
  const failures = [];
  for (const turn of TURNS) {
    const api = await startFakeApi(
      turn.isFirst ? () => remembered(home, expected.size) : answerAtOnce,
    );
    const setup = client.prepare({ home, api: api.url, callsign, waits: turn.waits });
    const failure = await takeTurn(program, setup, home);
    api.close();
    const largest = api.tools.toSorted((a, b) => b.length - a.length)[0];
    if (!largest) {
      const asked = api.paths.length === 0 ? 'no request came' : api.paths.slice(0, 5).join(', ');
      failures.push(`${turn.label}: the model was not asked (${asked}). ${failure ?? ''}`);
      continue;
    }
    const { ours, whole, missing } = missingIn(largest, expected);
    const none = missing.length > 0 ? `, none of ${missing.join(', ')}` : '';
    say(`${client.name}, ${turn.label}: ${ours} of ${whole} tools${none}`);
    if (turn.mustBeWhole && ours < whole)
      failures.push(`${turn.label}: ${whole - ours} tools missing`);
  }
  const inSet = await trySet(client, {
    program,
    home,
    serve,
    shown: showSet(command, config, home),
  });
  const overHttp = await tryHttp(client, { program, home, command, config, expected });
  return [...failures, ...inSet, ...overHttp];
}

/** One turn over HTTP with a gateway that runs, and what the client's own command says about it. */
async function tryHttp(client, { program, home, command, config, expected }) {
  const env = { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: join(home, 'state') };
  const args = [command, 'serve', '--config', config, '--http', '0'];
  const gateway = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    const url = await new Promise((resolve, reject) => {
      let said = '';
      gateway.stderr.setEncoding('utf8').on('data', (text) => {
        said += text;
        const [, address] = /listens on (\S+)/.exec(said) ?? [];
        if (address) resolve(address);
      });
      gateway.once('exit', () => reject(new Error(said)));
    });
    const api = await startFakeApi(answerAtOnce);
    const setup = client.prepare({ home, api: api.url, callsign: { url }, waits: true });
    const failure = await takeTurn(program, setup, home);
    api.close();
    const largest = api.tools.toSorted((a, b) => b.length - a.length)[0];
    if (!largest) return [`HTTP: the model was not asked. ${failure ?? ''}`];
    const { ours, whole } = missingIn(largest, expected);
    say(`${client.name}, HTTP: ${ours} of ${whole} tools`);
    const list = spawnSync(program, ['mcp', 'list'], {
      cwd: home,
      encoding: 'utf8',
      timeout: PATIENCE_MS,
      env: { ...env, CI: '1', NO_COLOR: '1', ...setup.env },
    });
    const listed = `${list.stdout}${list.stderr}`;
    const isShown = client.connected.test(listed);
    say(`${client.name}, mcp list: ${isShown ? 'shows Callsign' : 'does not show Callsign'}`);
    return [
      ...(ours === whole ? [] : [`HTTP: ${ours} tools instead of ${whole}`]),
      ...(isShown ? [] : [`mcp list: ${listed.trim()}`]),
    ];
  } finally {
    gateway.kill();
  }
}

/** What `callsign sets show` says: the tools that are in the set, and those that are not. */
function showSet(command, config, home) {
  const env = { ...process.env, XDG_STATE_HOME: join(home, 'state') };
  const args = [command, 'sets', 'show', SET.name, '--config', config, '--json'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`callsign sets show failed: ${stderr.trim()}`);
  return JSON.parse(stdout);
}

/** One turn on the set. The model must see its tools, and none of the others. */
async function trySet(client, { program, home, serve, shown }) {
  const api = await startFakeApi(answerAtOnce);
  const callsign = serve('--set', SET.name);
  const setup = client.prepare({ home, api: api.url, callsign, waits: true });
  const failure = await takeTurn(program, setup, home);
  api.close();
  const largest = api.tools.toSorted((a, b) => b.length - a.length)[0];
  if (!largest) return [`set ${SET.name}: the model was not asked. ${failure ?? ''}`];
  const ours = largest.filter((name) => name.includes('callsign')).map(flatName);
  const wanted = shown.tools.length;
  const strays = shown.outside.filter(({ canonical }) =>
    ours.some((name) => name.endsWith(`_${flatName(canonical)}`)),
  );
  say(`${client.name}, set ${SET.name}: ${ours.length} of ${wanted} tools`);
  if (strays.length > 0)
    return [`set ${SET.name}: it sees ${strays.map(({ canonical }) => canonical).join(', ')}`];
  return ours.length === wanted
    ? []
    : [`set ${SET.name}: ${ours.length} tools instead of ${wanted}`];
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

const work = mkdtempSync(join(tmpdir(), 'callsign-clients-'));
const folder = values.folder ?? join(work, 'installed');
const isChosen = ({ name }) => values.only === undefined || name === values.only;
const chosen = values['sign-in'] ? [] : REAL_CLIENTS.filter(isChosen);
const signingIn = values.together ? [] : SIGN_IN_CLIENTS.filter(isChosen);
if (chosen.length + signingIn.length === 0) {
  const names = [...REAL_CLIENTS, ...SIGN_IN_CLIENTS].map(({ name }) => name).join(', ');
  throw new Error(`There is no client "${values.only}". Known: ${names}.`);
}
let failed = 0;
const isInstalled = ({ name, packageName }) => {
  const problem = install(folder, [packageName]);
  if (problem === undefined) return true;
  failed++;
  say(`${name}: could not be installed on ${process.platform} ${process.arch}: ${problem}`);
  return false;
};
const installed = [];
try {
  // Clients start the bundled command, as it is published, because it starts fastest.
  const command = await bundledCommand();
  for (const client of chosen) {
    if (!isInstalled(client)) continue;
    installed.push(client);
    if (values.together) continue;
    const failures = await tryClient(client, command, folder, work);
    failed += failures.length;
    for (const failure of failures) say(`${client.name}: FAILED, ${failure}`);
    if (failures.length === 0) say(`${client.name}: ok`);
  }
  if (installed.length > 0 && process.platform === 'linux') {
    const failures = await runTogether({
      clients: installed,
      entry,
      toolCount: (keys) => [...recordedTools(keys).values()].flat().length,
      takeTurn,
      programOf: ({ program }) => join(folder, 'node_modules', '.bin', program),
      command,
      work,
      say,
    });
    failed += failures.length;
    for (const failure of failures) say(`Together: FAILED, ${failure}`);
  }
  const clients = signingIn.filter(isInstalled);
  const failures = await runSignIns({ clients, folder, command, work, say });
  failed += failures.length;
  for (const failure of failures) say(`Sign-in: FAILED, ${failure}`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.exitCode = failed > 0 ? 1 : 0;
