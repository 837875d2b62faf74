// `npm run bench`: measures everything side by side, judges it by the bars, and writes docs/performance.md.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { judge } from './bars.mjs';
import { bundled } from './lineup/callsign.mjs';
import { labels } from './lineup/labels.mjs';
import { describeMachine } from './machine.mjs';
import { HELP, readOptions } from './options.mjs';
import { installPeers } from './peers/install.mjs';
import { planFor } from './plan.mjs';
import { barTable, seriesTable } from './report/figures.mjs';
import { pageOf } from './report/page.mjs';
import { plotsOf } from './report/plots.mjs';
import { Results } from './results.mjs';
import { command } from './scenarios/command.mjs';
import { catalogue } from './scenarios/catalogue.mjs';
import { children } from './scenarios/children.mjs';
import { httpCalls, stdioCalls } from './scenarios/calls.mjs';
import { cold } from './scenarios/cold.mjs';
import { connect } from './scenarios/connect.mjs';
import { lists } from './scenarios/lists.mjs';
import { memory } from './scenarios/memory.mjs';
import { modules } from './scenarios/modules.mjs';
import { names } from './scenarios/names.mjs';
import { neighbour } from './scenarios/neighbour.mjs';
import { progress } from './scenarios/progress.mjs';
import { startUp } from './scenarios/start-up.mjs';

const SCENARIOS = [
  stdioCalls,
  httpCalls,
  children,
  catalogue,
  startUp,
  command,
  connect,
  cold,
  lists,
  memory,
  neighbour,
  progress,
  modules,
  names,
];
const DOCS = join(import.meta.dirname, '../docs');

process.exitCode = await main().catch((error) => {
  console.error(error instanceof TypeError ? error.message : error);
  return 1;
});
// An open socket must not keep this process alive.
setTimeout(() => process.exit(), 1_000).unref();

async function main() {
  const ids = SCENARIOS.map(({ id }) => id);
  const options = readOptions(process.argv.slice(2), ids);
  if (options.help) {
    console.log(`${HELP}\nScenarios: ${ids.join(', ')}`);
    return 0;
  }
  const chosen = SCENARIOS.filter(
    ({ id }) => options.only.length === 0 || options.only.includes(id),
  );
  const results = new Results([...labels.keys()]);
  const wantsPeers = chosen.some(({ peers }) => peers);
  const without = wantsPeers ? installPeers() : undefined;
  if (without !== undefined) results.note(`Without the peers from npm: ${without}.`);
  const hasPeers = wantsPeers && without === undefined;
  const plan = planFor(options.quick);
  await bundled();
  const start = Date.now();
  for (const { id, title, run } of chosen) {
    const say = (text) => progressLine(`${title}: ${text}`);
    await run({ plan, results, hasPeers, say });
    progressLine('');
    console.log(`\n${title}\n${seriesTable(results, id, labels)}`);
  }
  const seconds = Math.round((Date.now() - start) / 1000);
  const judgements = judge(
    results,
    chosen.map(({ id }) => id),
  );
  const machine = describeMachine(hasPeers);
  if (options.json) {
    const bars = judgements.map(({ bar: { id, what }, ...rest }) => ({ id, what, ...rest }));
    writeFileSync(options.json, JSON.stringify({ machine, seconds, bars, ...results.toJSON() }));
  }
  if (!options.quick && options.only.length === 0) write({ results, judgements, machine, seconds });
  return report(judgements, results, options, seconds);
}

function report(judgements, results, { check, quick }, seconds) {
  for (const note of results.notes) console.log(`\n${note}`);
  if (judgements.length > 0) console.log(`\n${barTable(judgements)}`);
  const caution = quick
    ? ' A quick run is too short for reliable results: code is still being compiled.'
    : '';
  console.log(`\nMeasured in ${seconds} s.${caution}`);
  const bad = judgements.filter(
    // A quick run leaves out the large ones.
    ({ verdict }) => verdict === 'missed' || (verdict === 'not measured' && !quick),
  );
  if (!check || bad.length === 0) return 0;
  console.log(`Not met: ${bad.map(({ bar }) => bar.id).join(', ')}`);
  return 1;
}

function write(outcome) {
  mkdirSync(join(DOCS, 'performance'), { recursive: true });
  for (const [name, svg] of plotsOf(outcome.results)) {
    writeFileSync(join(DOCS, 'performance', `${name}.svg`), svg);
  }
  writeFileSync(join(DOCS, 'performance.md'), pageOf(outcome));
}

/** On a terminal, one line that is overwritten each time. */
function progressLine(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  else if (text !== '') process.stderr.write(`${text}\n`);
}
