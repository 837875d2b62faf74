// What a name costs, at 10, 1,000 and 10,000 tools. Compare the ratios within one run; absolute
// numbers depend on the machine. `--json` for programs, `--quick` for a test.
import { createNameTable, createToolRenderer, profileById } from '@callsign/naming';

/** Only shows that everything runs. Its results are not reliable. */
const isQuick = process.argv.includes('--quick');
const SIZES = isQuick ? [10, 100, 1_000] : [10, 1_000, 10_000];
const ROUNDS = isQuick ? 1 : 15;
const VERBS = ['read', 'write', 'list', 'search', 'create', 'delete', 'update', 'get'];
const NOUNS = ['file', 'issue', 'user', 'chart', 'message', 'branch', 'record', 'event'];

/** At most fifty servers, with tools named as people name them; in Cursor all names have a mark. */
function refsOf(count) {
  return Array.from({ length: count }, (_, i) => ({
    server: `server-${i % 50}`,
    tool: `${VERBS[i % 8]}_${NOUNS[(i >> 3) % 8]}_${i}`,
  }));
}

/** Long names that differ little: the worst case for guessing what was meant. */
function similarRefs(count) {
  return Array.from({ length: count }, (_, i) => ({
    server: 'similar',
    tool: `${'words_that_differ_little_'.repeat(8)}${i}`,
  }));
}

/** Nanoseconds per operation in the best round, which other work of the machine disturbed least. */
function measure(operationsPerPass, pass) {
  const passes = Math.max(1, Math.round(10_000 / operationsPerPass));
  const samples = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.hrtime.bigint();
    for (let i = 0; i < passes; i++) pass();
    samples.push(Number(process.hrtime.bigint() - start) / (passes * operationsPerPass));
  }
  return Math.min(...samples);
}

function costsAt(size) {
  const refs = refsOf(size);
  const canonical = { profile: profileById('canonical') };
  const cursor = { profile: profileById('cursor') };
  const [exact, hashed] = [createToolRenderer(canonical), createToolRenderer(cursor)];
  // No client allows a space in a name, so these names get a fingerprint.
  const spaced = refs.map(({ server, tool }) => ({ server: server.replace('-', ' '), tool }));
  const table = createNameTable(refs, cursor);
  const names = table.tools.map(({ name }) => name);
  const wrong = names.map((name) => name.replace('e', 'ea')).slice(0, 20);
  table.suggest('warm the index');
  const similar = createNameTable(similarRefs(size), canonical);
  similar.suggest('warm the index');
  return {
    'render exact': measure(size, () => refs.forEach((ref) => exact(ref))),
    'render hashed': measure(size, () => spaced.forEach((ref) => hashed(ref))),
    'build table': measure(size, () => createNameTable(refs, cursor)),
    'look up': measure(size, () => names.forEach((name) => table.find(name))),
    'suggest among long look-alikes': measure(size, () =>
      similar.suggest(`similiar:${'words_that_difer_little_'.repeat(8)}7`),
    ),
    'suggest, per name in the table': measure(size * wrong.length, () =>
      wrong.forEach((name) => table.suggest(name)),
    ),
  };
}

const bySize = SIZES.map((size) => costsAt(size));
const rows = Object.keys(bySize[0]).map((what) => {
  const nanoseconds = bySize.map((costs) => costs[what]);
  return { what, nanoseconds, growth: nanoseconds[2] / nanoseconds[1] };
});

if (process.argv.includes('--json')) console.log(JSON.stringify({ sizes: SIZES, rows }));
else {
  console.log('Nanoseconds per name; growth is 10,000 against 1,000.\n');
  console.log(`${''.padEnd(32)}${SIZES.map((n) => String(n).padStart(9)).join('')}   growth`);
  for (const { what, nanoseconds, growth } of rows) {
    const cells = nanoseconds.map((ns) => ns.toFixed(ns < 10 ? 1 : 0).padStart(9)).join('');
    console.log(`${what.padEnd(32)}${cells}   ${growth.toFixed(2)} ×`);
  }
}
