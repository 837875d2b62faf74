// Records the tool lists of real servers from npm, to measure labels with. The servers are
// installed in a scratch folder and started with made-up credentials. Usage: npm run labels:record
// [KEY...]
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

import { SERVERS } from './servers.mjs';

/** Longer than the slowest server took to start. */
const START_LIMIT_MS = 60_000;

const folder = new URL('../../test/recordings/servers/', import.meta.url);
mkdirSync(folder, { recursive: true });

const wanted = process.argv.slice(2);
const chosen = Object.entries(SERVERS).filter(
  ([key]) => wanted.length === 0 || wanted.includes(key),
);
const scratch = mkdtempSync(join(tmpdir(), 'callsign-labels-'));
try {
  install(chosen.map(([, server]) => server));
  for (const [key, server] of chosen) await record(key, server);
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

/** Packages run no scripts of their own while they are installed. */
function install(servers) {
  writeFileSync(join(scratch, 'package.json'), '{ "private": true }');
  const packages = servers.map(({ package: name, version = 'latest' }) => `${name}@${version}`);
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
  const args = ['install', ...flags, ...packages];
  const { status, stderr } = spawnSync('npm', args, { cwd: scratch, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm cannot install them: ${stderr.slice(-500)}`);
}

async function record(key, server) {
  const home = join(scratch, 'home', key);
  mkdirSync(home, { recursive: true });
  for (const [path, text] of Object.entries(server.files ?? {})) writeIn(home, path, text);
  try {
    const { entry, version } = entryOf(server);
    const tools = await listTools(entry, server, home);
    const recording = { package: server.package, version, tools: tools.map(definitionOf) };
    writeFileSync(new URL(`${key}.json`, folder), textOf(recording));
    console.log(`${key}: ${tools.length} tools, ${version}`);
  } catch (error) {
    console.error(`${key}: ${error.message}`);
    process.exitCode = 1;
  }
}

function entryOf({ package: name, bin }) {
  const installed = join(scratch, 'node_modules', ...name.split('/'));
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  const bins = typeof manifest.bin === 'string' ? { '': manifest.bin } : (manifest.bin ?? {});
  const path = bins[bin] ?? Object.values(bins)[0] ?? manifest.main ?? 'index.js';
  const entry = join(installed, path);
  if (!existsSync(entry)) throw new Error(`${name} has no file ${path}`);
  return { entry, version: manifest.version };
}

function writeIn(home, path, text) {
  mkdirSync(join(home, dirname(path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

async function listTools(entry, { args = [], env = {} }, home) {
  const child = spawn(process.execPath, [entry, ...args], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (chunk) => (complaint = `${complaint}${chunk}`.slice(-300)));
  child.stdin.on('error', () => {});
  const timer = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS);
  try {
    const send = (message) =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'callsign-recorder', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    send({ id: 1, method: 'initialize', params });
    const tools = [];
    for await (const line of createInterface({ input: child.stdout })) {
      const { id, result, error } = messageIn(line);
      if (id === undefined) continue;
      if (error) throw new Error(error.message);
      if (id === 1) send({ method: 'notifications/initialized' });
      else tools.push(...result.tools);
      const cursor = result.nextCursor;
      if (id > 1 && !cursor) return tools;
      send({ id: id + 1, method: 'tools/list', params: cursor ? { cursor } : {} });
    }
    throw new Error(`it ended before it listed its tools: ${complaint.trim()}`);
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}

/** Some servers also print text that is no message to standard output. */
function messageIn(line) {
  try {
    const { id, result, error } = JSON.parse(line);
    return typeof id === 'number' && (result || error) ? { id, result, error } : {};
  } catch {
    return {};
  }
}

/** Only the parts of a definition that labels depend on. */
function definitionOf({ name, title, description, inputSchema, annotations }) {
  return { name, title, description, inputSchema, annotations };
}

/** One tool per line, so that a change of one tool changes one line. */
function textOf({ package: name, version, tools }) {
  const head = JSON.stringify({ package: name, version }).slice(0, -1);
  // Some servers name the folder that they were started in.
  const folders = new RegExp(`${scratch}(?:/home/[a-z0-9-]+)?`, 'g');
  const lines = tools.map((tool) => JSON.stringify(tool).replaceAll(folders, '/home/me'));
  return `${head},"tools":[\n${lines.join(',\n')}\n]}\n`;
}
