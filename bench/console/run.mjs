// Measures the console in a browser: npm run bench:console [-- --records N] [--tools N] [--json]
// A real gateway with a million records and 10,000 tools; times are measured in the page, from a
// click to the painted answer.
// Meanwhile a client calls a tool all the time, and the longest blocking of the gateway's event
// loop is measured.
// The output also has the load of the machine, because the times are clock times.
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { chromium } from 'playwright-core';

import { AuditReader, sqliteStores } from '../../packages/audit/dist/query.js';
import { bundledCommand } from '../../scripts/bundled-command.mjs';
import { writeJournals } from '../records/journals.mjs';
import { filterTime, recordsTime } from './page-times.mjs';
import { callWhile, openClient } from './steady-calls.mjs';

const RECORDS_BAR_MS = 1_000;
const FILTER_BAR_MS = 100;
const SLICE_BAR_MS = 50;
const ROUNDS = 5;
const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';
const CHILD = fileURLToPath(new URL('../../test/fixtures/plain-child.mjs', import.meta.url));

const records = numberAfter('--records', 1_000_000);
const tools = numberAfter('--tools', 10_000);
const folder = mkdtempSync(join(tmpdir(), 'callsign-console-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const audit = join(folder, 'audit');
writeJournals(audit, records);
const reader = new AuditReader({
  folder: audit,
  store: sqliteStores.open({ folder: audit, settings: undefined }),
});
await reader.refresh();
await reader.close();

const config = join(folder, 'callsign.json');
const server = (...args) => ({ command: process.execPath, args: [CHILD, ...args] });
writeFileSync(
  config,
  JSON.stringify({
    mcpServers: { big: server(`--tools=${tools}`), kid: server() },
    callsign: {
      limits: { maxTools: 2 * tools, maxListItems: 2 * tools },
      // Limits that are large enough to keep all prepared records.
      audit: { folder: audit, keepDays: 1_000, maxBytes: 4 * 1024 ** 3 },
      listWaitMs: 60_000,
    },
  }),
);
const loopFile = join(folder, 'loop.json');
const env = { ...process.env, XDG_STATE_HOME: join(folder, 'state'), CALLSIGN_LOOP_FILE: loopFile };
const watch = new URL('./loop-time.mjs', import.meta.url).href;
const bin = await bundledCommand();
const gateway = spawn(
  process.execPath,
  ['--import', watch, bin, 'serve', '--config', config, '--http', '0'],
  {
    env,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  },
);
process.on('exit', () => gateway.kill());
const url = await addressOf(gateway);
const client = await openClient(url);
const browser = await chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox'] });
const results = [];
const slices = {};
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(await consoleLink());
  await page.getByText('live', { exact: true }).waitFor();
  gateway.kill('SIGUSR2');
  await page.evaluate("location.hash = '#/tools'");
  await page.getByText(new RegExp(`of ${String(tools).slice(0, -2)}\\d\\d tools`)).waitFor();
  for (const text of ['t_99', 't_9999', 'echo', 'nothing like it', '']) {
    const name = `${tools} tools, filter "${text}"`;
    results.push(await measured(name, FILTER_BAR_MS, () => page.evaluate(filterTime(text))));
  }
  slices.tools = await longestSlice();
  const idle = await callWhile(client, () => new Promise((done) => setTimeout(done, 3_000)));
  gateway.kill('SIGUSR2');
  const busy = await callWhile(client, async () => {
    for (const query of ['', 'server=server3', 'decision=deny', 'since=1d', 'text=needle']) {
      const name = `${records} records, ${query === '' ? 'all' : query}`;
      let round = 0;
      const run = () => page.evaluate(recordsTime(`${query}&until=2100-01-0${1 + round++}`));
      results.push(await measured(name, RECORDS_BAR_MS, run));
    }
  });
  slices.audit = await longestSlice();
  report({ idle, busy });
} finally {
  await browser.close();
  gateway.kill();
}
const isMissed =
  results.some(({ median, bar }) => median > bar) ||
  Object.values(slices).some((slice) => slice > SLICE_BAR_MS);
process.exitCode = isMissed ? 1 : 0;

async function measured(name, bar, run) {
  const times = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await run());
  return { name, bar, first: times[0], median: times.toSorted((a, b) => a - b)[ROUNDS >> 1] };
}

function report({ idle, busy }) {
  if (process.argv.includes('--json')) {
    console.log(
      JSON.stringify({ records, tools, results, slices, calls: { idle, busy }, load: loadavg() }),
    );
    return;
  }
  for (const { name, first, median, bar } of results) {
    const mark = median > bar ? `  MISSES the bar of ${bar} ms` : '';
    console.log(`${name.padEnd(40)} ${ms(first)} first, ${ms(median)} median${mark}`);
  }
  for (const [name, slice] of Object.entries(slices)) {
    const mark = slice > SLICE_BAR_MS ? `  MISSES the bar of ${SLICE_BAR_MS} ms` : '';
    console.log(`${`gateway, longest slice, ${name}`.padEnd(40)} ${ms(slice)}${mark}`);
  }
  for (const [name, { calls, p50, p99, longest }] of Object.entries({ idle, busy })) {
    const what = name === 'idle' ? 'calls, no question' : 'calls during questions';
    console.log(
      `${what.padEnd(40)} ${calls} calls, p50 ${ms(p50)}, p99 ${ms(p99)}, longest ${ms(longest)}`,
    );
  }
  const [minute = 0] = loadavg();
  console.log(`load of the machine ${minute.toFixed(1)} on ${cpus().length} processors`);
}

/** The longest blocking of the gateway's event loop since the last signal. */
async function longestSlice() {
  // It writes ten times a second.
  await new Promise((done) => setTimeout(done, 300));
  return JSON.parse(readFileSync(loopFile, 'utf8')).longest;
}

function ms(value) {
  return `${value.toFixed(value < 10 ? 1 : 0).padStart(5)} ms`;
}

async function consoleLink() {
  const args = [bin, 'console', '--config', config, '--no-open', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return JSON.parse(stdout).url;
}

function addressOf(child) {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      const found = /http:\/\/\S+\/mcp/.exec(text);
      if (found) resolve(found[0]);
    });
    child.once('exit', () => reject(new Error(`The gateway ended: ${text}`)));
  });
}

function numberAfter(flag, otherwise) {
  const at = process.argv.indexOf(flag);
  return at === -1 ? otherwise : Number(process.argv[at + 1]);
}
