// The start of a gateway with 26 recorded servers, two of them slow: how long the first list takes, whether it is
// whole, how often the client is told of changes, and what it costs. First start, then the second.
// Usage: cold-start.mjs [--command FILE] [--starts N]
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const ROOT = join(import.meta.dirname, '..');
const RECORDED = join(ROOT, 'test/fixtures/recorded-child.mjs');
/** The servers of the recordings that were measured side by side with other aggregators, and two slow ones. */
const SERVERS =
  'azure brave-search brightdata cloudflare commands context7 everart everything exa figma filesystem github ' +
  'gitlab google-maps mapbox memory notion perplexity playwright postgres puppeteer sequential-thinking slack tavily';
const SLOW = { jira: 3_000, trello: 5_000 };
/** Longer than the slowest server needs. */
const REST_MS = 7_000;
const CHANGED = '"notifications/tools/list_changed"';

const { values } = parseArgs({
  options: {
    command: { type: 'string', default: join(ROOT, 'packages/cli/bin/callsign.mjs') },
    starts: { type: 'string', default: '3' },
  },
});

const entry = (name, ...more) => ({
  command: process.execPath,
  args: [RECORDED, join(ROOT, 'test/recordings/servers', `${name}.json`), ...more],
});

function configuration() {
  const quick = SERVERS.split(' ').map((name) => [name, entry(name)]);
  const slow = Object.entries(SLOW).map(([name, ms]) => [name, entry(name, `--delay-start=${ms}`)]);
  return { mcpServers: Object.fromEntries([...quick, ...slow]) };
}

/** One start, from the spawn to some time after all servers are there. */
async function start(config, state) {
  const env = { PATH: process.env.PATH, HOME: state, XDG_STATE_HOME: state };
  const began = performance.now();
  const child = spawn(process.execPath, [values.command, 'serve', '--config', config, '--quiet'], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const waiting = new Map();
  let changes = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.includes(CHANGED)) changes++;
    const { id } = JSON.parse(line);
    waiting.get(id)?.(JSON.parse(line));
  });
  const send = (message) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = (id, method, params = {}) =>
    new Promise((resolve) => {
      waiting.set(id, resolve);
      send({ id, method, params });
    });
  const clientInfo = { name: 'bench', version: '1' };
  await ask(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  send({ method: 'notifications/initialized' });
  const asked = performance.now();
  const first = await ask(2, 'tools/list');
  const got = performance.now();
  await pause(REST_MS);
  const last = await ask(3, 'tools/list');
  const { cpuSeconds, megabytes } = costOf(child.pid);
  child.stdin.end();
  await ended;
  return {
    'ms from start to greeting': Math.round(asked - began),
    'ms from request to list': Math.round(got - asked),
    'tools in it': first.result.tools.length,
    'tools at last': last.result.tools.length,
    list_changed: changes,
    'CPU s': cpuSeconds,
    MB: megabytes,
  };
}

function costOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return { cpuSeconds: ticks / 100, megabytes: Math.round(Number(kib) / 1024) };
}

const folder = mkdtempSync(join(tmpdir(), 'callsign-cold-'));
try {
  const config = join(folder, 'callsign.json');
  writeFileSync(config, JSON.stringify(configuration()));
  for (let n = 1; n <= Number(values.starts); n++) {
    process.stdout.write(`${JSON.stringify({ start: n, ...(await start(config, folder)) })}\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
