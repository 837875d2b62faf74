// `npm run fuzz -- [--seconds N] [--seed N] [--target NAME]`: hostile input for a bounded time. A case that fails is
// written to `fuzz-failures` with its seed; the same seed and target give the same cases again.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import fc from 'fast-check';

import { DOCUMENT_TARGETS } from './documents.mjs';
import { MESSAGE_TARGETS } from './messages.mjs';
import { TOOL_TARGETS } from './tools.mjs';

const FOLDER = 'fuzz-failures';
/** Cases under one seed. */
const RUNS = 50;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '180' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    target: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});
const all = [...DOCUMENT_TARGETS, ...TOOL_TARGETS, ...MESSAGE_TARGETS];
if (values.help) {
  console.log('npm run fuzz -- [--seconds N] [--seed N] [--target NAME]');
  console.log(`Targets: ${all.map(({ name }) => name).join(', ')}`);
  process.exit();
}
const targets = all.filter(({ name }) => values.target === undefined || name === values.target);
if (targets.length === 0) {
  console.error(
    `There is no target "${values.target}". Known: ${all.map(({ name }) => name).join(', ')}`,
  );
  process.exit(1);
}
const firstSeed = Number(values.seed);
const share = (Number(values.seconds) * 1_000) / targets.length;
let failures = 0;
for (const target of targets) failures += await fuzz(target);
console.log(failures === 0 ? 'No failure.' : `${failures} failures; see ${FOLDER}.`);
process.exitCode = failures === 0 ? 0 : 1;

/** Runs one target for its share of the time. Returns the number of seeds that failed, 0 or 1. */
async function fuzz({ name, input, open, check }) {
  const until = performance.now() + share;
  const subject = await open?.();
  let seed = firstSeed;
  try {
    do {
      const property = fc.asyncProperty(input, (value) => check(value, subject));
      const result = await fc.check(property, { seed, numRuns: RUNS, endOnFailure: false });
      if (result.failed) {
        report(name, result);
        return 1;
      }
      seed++;
    } while (performance.now() < until);
    console.log(`${name}: ${(seed - firstSeed) * RUNS} cases, seeds ${firstSeed} to ${seed - 1}`);
    return 0;
  } finally {
    await subject?.close();
  }
}

function report(name, { seed, counterexample, errorInstance, counterexamplePath }) {
  mkdirSync(FOLDER, { recursive: true });
  const file = join(FOLDER, `${name}-${seed}.txt`);
  const error = errorInstance instanceof Error ? errorInstance.stack : String(errorInstance);
  const again = `npm run fuzz -- --target ${name} --seed ${seed}`;
  const text = [again, `path ${counterexamplePath}`, error, JSON.stringify(counterexample)].join(
    '\n\n',
  );
  writeFileSync(file, `${text}\n`);
  console.log(
    `${name}: failed with seed ${seed}: ${String(errorInstance?.message).split('\n')[0]}; see ${file}`,
  );
}
