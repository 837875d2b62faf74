// Mutation testing: makes small changes to the code and counts those that a test detects.
// Usage: npm run mutation -- [--only PATH]… [--sample N] [--seed N] [--workers N]
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { readAccepted, staleEntries } from './accepted.mjs';
import { runsFor } from './coverage.mjs';
import { listMutants } from './mutants.mjs';
import { runJobs } from './pool.mjs';
import { report } from './report.mjs';
import { sample } from './sample.mjs';
import { readGroups, ROOT } from './scope.mjs';

const MEASURE_TIMEOUT_MS = 300_000;
/** The number of mutants whose tests first run without the change. */
const CONTROLS = 8;
/** The time limit of a mutant: a multiple of what its tests took without it, plus this. */
const PATIENCE_MS = 15_000;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [''] },
    sample: { type: 'string', default: '1500' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
  },
});
const workers = wholeNumber('workers');
const started = Date.now();

const groups = readGroups();
const mutants = groups.flatMap(({ name, files }) =>
  files.flatMap((file) =>
    listMutants(file, readFileSync(join(ROOT, file), 'utf8')).map((mutant) => ({
      ...mutant,
      group: name,
    })),
  ),
);
const picked = sample(
  mutants.filter(({ file }) => values.only.some((path) => isUnder(file, path))),
  wholeNumber('sample'),
  wholeNumber('seed'),
);
if (picked.length === 0) throw new Error(`--only ${values.only.join(', ')}: no mutants there`);
console.log(`${picked.length} of ${mutants.length} mutants, seed ${values.seed}`);

const measured = await measure(
  groups.filter(({ name }) => picked.some(({ group }) => group === name)),
);
await checkControls(picked.slice(0, CONTROLS));
const results = await judge(picked);
const accepted = readAccepted();
const { text, failures } = report(results, accepted, staleEntries(accepted, mutants, results));
console.log(`\n${text}\nSeed ${values.seed}, ${minutes()} minutes.`);
process.exitCode = failures.length === 0 ? 0 : 1;

/** Runs the tests without a mutant. A test that fails here would prove nothing later. */
async function measure(chosen) {
  const tests = [...new Set(chosen.flatMap((group) => group.tests))];
  const files = chosen.flatMap((group) => group.files);
  let count = 0;
  const answers = await runJobs(
    tests.map((test) => ({ type: 'measure', test, files })),
    {
      workers,
      timeoutMs: () => MEASURE_TIMEOUT_MS,
      onLost: ({ test }, why) => ({ test, broken: [why], tests: [] }),
      onAnswer: ({ test, broken, tests: all }) => {
        count += 1;
        if (count % 25 === 0) console.log(`${count} of ${tests.length} test files measured`);
        const failing = all.filter(({ state }) => state === 'failed');
        for (const { name } of failing) console.log(`Left out, fails by itself: ${test} > ${name}`);
        for (const message of broken) console.log(`Left out: ${test}: ${message}`);
      },
    },
  );
  const usable = answers.filter(({ broken }) => broken.length === 0);
  console.log(`${usable.length} test files measured, ${minutes()} minutes`);
  return usable;
}

/**
 * The tests must pass with the unchanged code; otherwise a failure with a mutant proves nothing.
 */
async function checkControls(chosen) {
  const unchanged = { start: 0, end: 0, text: '' };
  const controls = await judge(
    chosen.map((mutant) => ({ ...mutant, edit: unchanged })),
    () => {},
  );
  const killed = controls.filter(({ state }) => state === 'killed' || state === 'timeout');
  for (const { mutant, by } of killed)
    console.log(`Fails without a mutant: ${by}, for ${mutant.file}`);
  if (killed.length > 0) throw new Error(`${killed.length} controls failed`);
}

async function judge(chosen, tell = console.log) {
  const jobs = chosen.map((mutant) => {
    const { tests } = groups.find(({ name }) => name === mutant.group);
    const near = measured.filter(({ test }) => tests.includes(test));
    return {
      type: 'judge',
      mutant,
      file: mutant.file,
      edit: mutant.edit,
      runs: runsFor(mutant, near),
    };
  });
  let done = 0;
  const answers = await runJobs(jobs, {
    workers,
    timeoutMs: ({ runs }) => PATIENCE_MS + 5 * runs.reduce((sum, { ms }) => sum + ms, 0),
    onLost: (_, why) => ({ state: why === 'timeout' ? why : 'killed', by: why }),
    onAnswer: ({ state }, { file, mutant }) => {
      done += 1;
      if (state === 'survived') tell(`survived: ${file}:${mutant.line} ${mutant.change}`);
      if (done % 50 === 0) tell(`${done} of ${jobs.length} mutants, ${minutes()} minutes`);
    },
  });
  return chosen.map((mutant, i) => ({
    mutant,
    group: mutant.group,
    by: answers[i].by,
    state: jobs[i].runs.length === 0 ? 'untested' : answers[i].state,
  }));
}

function isUnder(file, path) {
  return path === '' || file === path || file.startsWith(`${path.replace(/\/$/, '')}/`);
}

function wholeNumber(option) {
  const number = Number(values[option]);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw new Error(`--${option} takes a whole number, not ${values[option]}`);
}

function minutes() {
  return ((Date.now() - started) / 60_000).toFixed(1);
}
