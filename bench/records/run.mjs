// Measures queries over a million records: npm run bench:records [-- --records N] [--json] [--postgres]
// Writes real journals into a temporary folder, fills the tables from them, and measures the
// queries of the commands.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { AuditReader } from '../../packages/audit/dist/query.js';
import { writeJournals } from './journals.mjs';
import { openPostgres, openSqlite } from './stores.mjs';

/** What a query may take on two cores. */
const BAR_MS = 1_000;
const ROUNDS = 3;

const flag = process.argv.indexOf('--records');
const records = flag === -1 ? 1_000_000 : Number(process.argv[flag + 1]);
const folder = mkdtempSync(join(tmpdir(), 'callsign-records-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const { calls, writeMs } = writeJournals(folder, records);
const isPostgres = process.argv.includes('--postgres');
const tables = isPostgres ? await openPostgres() : openSqlite(folder);
const fillMs = await timed(() => new AuditReader({ folder, store: tables.store }).refresh());
const cpuMs = await tables.cpuMs();
const reader = new AuditReader({ folder, store: tables.store, source: tables.source });
const verifyMs = await timed(() => reader.verify());

const week = new Date(Date.now() - 7 * 24 * 3_600_000);
const limit = 50;
const halfTime = new Date(Date.now() - 15 * 24 * 3_600_000);
const [newest] = await reader.list({ limit: 1 });
const [middle] = await reader.list({ until: halfTime, outcome: 'ok', limit: 1 });
const QUERIES = {
  list: () => reader.list({ limit }),
  'list --server': () => reader.list({ server: 'server3', limit }),
  'list --server (none)': () => reader.list({ server: 'none', limit }),
  'list --tool': () => reader.list({ tool: 'server3:tool_7', limit }),
  'list --tool (glob)': () => reader.list({ tool: '*:tool_7', limit }),
  'list --tool (glob, none)': () => reader.list({ tool: '*:none*', limit }),
  'list --risk destructive --since 7d': () =>
    reader.list({ risk: 'destructive', since: week, limit }),
  'list --outcome (rare)': () => reader.list({ outcome: 'policy-denied', limit }),
  'list --outcome (none)': () => reader.list({ outcome: 'none', limit }),
  'list --caller (none)': () => reader.list({ caller: 'nobody', limit }),
  'list --client (none)': () => reader.list({ client: 'nothing', limit }),
  'list --decision deny': () => reader.list({ decision: 'deny', limit }),
  'list --decision (none)': () => reader.list({ decision: 'dry-run', limit }),
  'list --severity error': () => reader.list({ severity: 'error', limit }),
  'list --until (long ago)': () => reader.list({ until: new Date(0), limit }),
  'list --text': () => reader.list({ text: 'needle', limit }),
  'list --text (none)': () => reader.list({ text: 'no such text', limit }),
  stats: () => reader.stats({}),
  'stats --since 7d': () => reader.stats({ since: week }),
  'stats --server': () => reader.stats({ server: 'server3' }),
  'stats --risk destructive': () => reader.stats({ risk: 'destructive' }),
  'stats --text': () => reader.stats({ text: 'needle' }),
  'timeline by day': () => reader.timeline({}, 'day'),
  'timeline --since 7d by hour': () => reader.timeline({ since: week }, 'hour'),
  'show (newest)': () => reader.show(newest.id),
  'show (middle)': () => reader.show(middle.id),
};

const results = [];
for (const [name, run] of Object.entries(QUERIES)) {
  const times = [];
  const coresBefore = await tables.cpuMs();
  for (let round = 0; round < ROUNDS; round++) times.push(await timed(run));
  // On a busy machine, the time on cores says more than the time on the clock.
  const cores = ((await tables.cpuMs()) - coresBefore) / ROUNDS;
  results.push({ name, first: times[0], median: times.toSorted((a, b) => a - b)[1], cores });
}
const megabytes = (await tables.bytes()) / 1e6;
await tables.close();

if (process.argv.includes('--json')) {
  console.log(
    JSON.stringify({ records, calls, writeMs, fillMs, cpuMs, verifyMs, megabytes, results }),
  );
} else {
  console.log(`${records} records of ${calls} calls. Tables: ${megabytes.toFixed(0)} MB.`);
  console.log(
    `written ${perSecond(writeMs)}, filled ${perSecond(fillMs)}, verified ${perSecond(verifyMs)}`,
  );
  const micros = (1000 * cpuMs) / records;
  console.log(`filling cost ${micros.toFixed(1)} core µs per record, all processes`);
  for (const { name, first, median, cores } of results) {
    const mark = Math.max(first, median) > BAR_MS ? '  MISSES the bar' : '';
    console.log(
      `${name.padEnd(38)} ${ms(first)} first, ${ms(median)} median, ${ms(cores)} on cores${mark}`,
    );
  }
}
process.exitCode = results.some(({ first }) => first > BAR_MS) ? 1 : 0;

async function timed(run) {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

function perSecond(elapsed) {
  return `${Math.round((records / elapsed) * 1000).toLocaleString('en')}/s`;
}

function ms(value) {
  return `${value.toFixed(0).padStart(6)} ms`;
}
