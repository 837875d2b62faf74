// Measures what shared storage costs a call: npm run bench:storage [-- --calls N] [--json] A
// gateway over HTTP with a real server behind it, once with its tables in SQLite and once on a real
// PostgreSQL. It measures the processor time of all processes: client, gateway, server and
// database, until all records are in the tables.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { startPostgres } from '../../scripts/postgres/postgres-server.mjs';
import { coreTime } from '../processes.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const flag = process.argv.indexOf('--calls');
const calls = flag === -1 ? 20_000 : Number(process.argv[flag + 1]);
const IN_FLIGHT = 16;
const ROUNDS = 3;
/** What shared storage may add. */
const BAR = 1.15;

const folder = mkdtempSync(join(tmpdir(), 'callsign-storage-'));
const database = await startPostgres({ settings: { fsync: 'on' } });
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const results = [];
for (let round = 0; round < ROUNDS; round++) {
  const alone = await measure({});
  const shared = await measure({
    storage: { postgres: '${DATABASE_URL}', schema: `round${round}` },
  });
  results.push({ alone, shared });
}
await database.remove();

const alone = median(results.map((each) => each.alone.micros));
const shared = median(results.map((each) => each.shared.micros));
const growth = shared / alone;
if (process.argv.includes('--json')) console.log(JSON.stringify({ calls, alone, shared, results }));
else {
  console.log(`${calls} calls that read, ${IN_FLIGHT} in flight, ${ROUNDS} rounds, medians.`);
  console.log(
    `one instance, tables in SQLite: ${alone.toFixed(1)} core µs per call, all processes`,
  );
  console.log(
    `shared storage:                 ${shared.toFixed(1)} core µs per call, all processes`,
  );
  for (const name of ['client', 'gateway', 'database']) {
    const [a, b] = ['alone', 'shared'].map((key) => median(results.map((each) => each[key][name])));
    console.log(`  ${name.padEnd(10)} ${a.toFixed(1)} → ${b.toFixed(1)}`);
  }
  console.log(
    `growth: ${((growth - 1) * 100).toFixed(1)} %${growth > BAR ? '  MISSES the bar' : ''}`,
  );
}
process.exitCode = growth > BAR ? 1 : 0;

async function measure(settings) {
  const state = mkdtempSync(join(folder, 'state-'));
  const config = join(state, 'callsign.json');
  const child = join(root, 'test/fixtures/plain-child.mjs');
  const annotations = { 'kid:add': { preset: 'READ_ONLY_DEFAULT' } };
  writeFileSync(
    config,
    JSON.stringify({
      mcpServers: { kid: { command: process.execPath, args: [child] } },
      callsign: { annotations, ...settings },
    }),
  );
  const bin = join(root, 'packages/cli/bin/callsign.cjs');
  const env = { ...process.env, XDG_STATE_HOME: state, DATABASE_URL: database.url };
  const gateway = spawn(process.execPath, [bin, 'serve', '--config', config, '--http', '0'], {
    env,
  });
  const url = await heard(gateway);
  const client = await connect(url);
  for (let i = 0; i < 500; i++) await client.call(i);
  await sleep(2_000);
  const before = times(gateway.pid);
  let next = 0;
  const worker = async () => {
    while (next < calls) await client.call(next++);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  // The next query fills the tables of SQLite, which is part of the cost of records.
  if (settings.storage) await sleep(3_000);
  const asked = settings.storage ? 0 : await tablesFilled(bin, config, env);
  const after = times(gateway.pid);
  client.close();
  gateway.kill('SIGTERM');
  await new Promise((resolve) => gateway.once('exit', resolve));
  const per = (name) => (after[name] - before[name]) / calls;
  const parts = {
    client: per('client'),
    gateway: per('gateway') + asked / calls,
    database: per('database'),
  };
  return { ...parts, micros: parts.client + parts.gateway + parts.database };
}

/** Core µs of filling the tables, without the cost of the command itself. */
async function tablesFilled(bin, config, env) {
  const ask = () => {
    const before = childTime();
    execFileSync(process.execPath, [bin, 'audit', 'stats', '--json', '--config', config], { env });
    return childTime() - before;
  };
  const first = ask();
  return Math.max(0, first - ask());
}

/** The processor time of all children that have ended. */
function childTime() {
  const [, fields] = execFileSync('cat', [`/proc/${process.pid}/stat`], { encoding: 'utf8' }).split(
    ') ',
  );
  const parts = fields.split(' ');
  return (Number(parts[13]) + Number(parts[14])) * 10_000;
}

function times(gateway) {
  const { user, system } = process.cpuUsage();
  return { client: user + system, gateway: treeTime(gateway), database: treeTime(database.pid) };
}

/** A process and its children. */
function treeTime(pid) {
  const args = ['-o', 'pid=', '--pid', String(pid), '--ppid', String(pid)];
  const pids = execFileSync('ps', args, { encoding: 'utf8' }).trim().split(/\s+/);
  return pids.reduce((sum, each) => sum + (coreTime(each) ?? 0), 0);
}

function heard({ stderr }) {
  return new Promise((resolve) => {
    let text = '';
    stderr.setEncoding('utf8').on('data', (piece) => {
      text += piece;
      const found = /listens on (http:\S+)/.exec(text);
      if (found) resolve(found[1]);
    });
  });
}

async function connect(url) {
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT });
  let session;
  const post = (message) =>
    new Promise((resolve, reject) => {
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session ? { 'mcp-session-id': session } : {}),
      };
      const sent = request(url, { method: 'POST', agent, headers }, (response) => {
        session ??= response.headers['mcp-session-id'];
        let text = '';
        response.setEncoding('utf8').on('data', (piece) => (text += piece));
        response.on('end', () => resolve(text));
      });
      sent.once('error', reject);
      sent.end(JSON.stringify({ jsonrpc: '2.0', ...message }));
    });
  const clientInfo = { name: 'bench', version: '1' };
  await post({
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
  });
  await post({ method: 'notifications/initialized' });
  await post({ id: 'list', method: 'tools/list' });
  return {
    async call(i) {
      const params = { name: 'kid:add', arguments: { a: i, b: 1 } };
      const text = await post({ id: `c${i}`, method: 'tools/call', params });
      if (!text.includes('"result"')) throw new Error(`The call failed: ${text}`);
    },
    close: () => agent.destroy(),
  };
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
