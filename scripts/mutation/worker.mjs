// One vitest in a process of its own. Measures what tests enter, and runs tests against a mutant.
// Mutants exist only in memory: a plugin changes the text of the file on its way to the test.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createVitest } from 'vitest/node';

import { apply, markFunctions } from './mutants.mjs';
import { ROOT } from './scope.mjs';

/** Long, because machines may be slow. The parent process decides when a mutant takes too long. */
const TEST_TIMEOUT_MS = 60_000;
const HITS = join(ROOT, 'scripts/mutation/hits.mjs');

/** From the full path of a file to the change that the plugin makes. */
const changes = new Map();
const vitest = await createVitest(
  'test',
  {
    root: ROOT,
    config: join(ROOT, 'scripts/mutation/vitest.config.ts'),
    watch: false,
    // Threads end with this process, so a mutant that never returns can be killed.
    pool: 'threads',
    maxWorkers: 1,
    retry: 0,
    bail: 1,
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
    reporters: [{}],
    onConsoleLog: () => false,
  },
  {
    plugins: [
      {
        name: 'callsign-mutant',
        enforce: 'pre',
        transform: (code, id) => {
          const edit = changes.get(id.split('?')[0]);
          return edit === undefined ? undefined : { code: edit(code), map: null };
        },
      },
    ],
  },
);
const [project] = vitest.projects;
const { setupFiles } = project.config;
let marked = [];

const ANSWERS = {
  /** Runs a test file and reports which functions each of its tests enters. */
  async measure({ test, files }) {
    mark(files);
    const started = performance.now();
    const { modules, errors } = await run({ test });
    const ms = performance.now() - started;
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    return {
      test,
      ms,
      broken: [...modules.flatMap((module) => module.errors()), ...errors].map(
        ({ message }) => message,
      ),
      entered: modules.flatMap((module) => module.meta().entered ?? []),
      tests: tests.map((each) => ({
        id: each.id,
        name: each.fullName,
        state: each.result().state,
        entered: each.meta().entered ?? [],
      })),
    };
  },

  /** Runs tests, one file after another, until one fails. */
  async judge({ file, edit, runs }) {
    mark([]);
    change(file, (code) => apply(code, [edit]));
    try {
      for (const each of runs) {
        const { modules, errors } = await run(each);
        const isKilled = errors.length > 0 || modules.some((module) => !module.ok());
        if (isKilled) return { state: 'killed', by: `${each.test} > ${why(modules, errors)}` };
      }
      return { state: 'survived' };
    } finally {
      change(file, undefined);
    }
  },
};

/** Files whose functions report that they are entered, until the first mutant is tested. */
function mark(files) {
  if (marked.length === files.length) return;
  for (const file of marked) change(file, undefined);
  for (const file of files) {
    change(file, (code) => markFunctions(file, code, (unit) => `callsignHit('${file}#${unit}')`));
  }
  marked = files;
  project.config.setupFiles = files.length === 0 ? setupFiles : [HITS, ...setupFiles];
  vitest.config.bail = project.config.bail = files.length === 0 ? 1 : 0;
}

/** The first failed test and its message. */
function why(modules, errors) {
  const failed = modules
    .flatMap((module) => [...module.children.allTests('failed')])
    .map((test) => `${test.fullName}: ${test.result().errors[0]?.message}`);
  const others = [...modules.flatMap((module) => module.errors()), ...errors];
  return [...failed, ...others.map(({ message }) => message)][0] ?? 'no test passed';
}

function change(file, edit) {
  const path = join(ROOT, file);
  if (edit === undefined) changes.delete(path);
  else changes.set(path, () => edit(readFileSync(path, 'utf8')));
  vitest.invalidateFile(path);
}

async function run({ test, ids }) {
  vitest.state.filesMap.clear();
  vitest.state.errorsSet.clear();
  const specification = project.createSpecification(
    join(ROOT, test),
    ids === undefined ? {} : { testIds: ids },
  );
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification]);
  return { modules: testModules, errors: unhandledErrors };
}

process.on('message', ({ type, ...job }) => {
  ANSWERS[type](job).then(
    (answer) => process.send({ answer }),
    (error) => process.send({ error: error.stack }),
  );
});
process.on('disconnect', () => process.exit());
process.send({});
