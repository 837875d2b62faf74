// Which tests can detect a mutant: those that enter its function, the nearest and fastest first.
import { basename, dirname } from 'node:path';

/** The test files and tests to run for a mutant. `ids` is left out where all tests of a file count. */
export function runsFor(mutant, measured) {
  const unit = `${mutant.file}#${mutant.unit}`;
  return measured
    .flatMap((module) => {
      const passing = module.tests.filter(({ state }) => state === 'passed');
      const isAll = module.entered.includes(unit);
      const tests = isAll ? passing : passing.filter(({ entered }) => entered.includes(unit));
      if (tests.length === 0) return [];
      const ids = tests.length === module.tests.length ? undefined : tests.map(({ id }) => id);
      return [{ test: module.test, ms: module.ms, ids }];
    })
    .toSorted(
      (a, b) => distance(mutant.file, a.test) - distance(mutant.file, b.test) || a.ms - b.ms,
    );
}

function distance(file, test) {
  if (dirname(file) !== dirname(test)) return 2;
  return basename(test).startsWith(basename(file, '.ts')) ? 0 : 1;
}
