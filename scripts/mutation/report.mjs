// The report of a run as text: a table by group, the survivors, and the problems.
import { keyOf } from './accepted.mjs';
import { LOWEST_SCORE, MOST_UNEXPLAINED } from './scope.mjs';

/** Results are `{ group, mutant, state }` with the states killed, timeout, survived and untested. */
export function report(results, accepted, stale) {
  const reasons = new Map(accepted.map((entry) => [keyOf(entry), entry.reason]));
  const survivors = results
    .filter(isSurvivor)
    .map((result) => ({ ...result, reason: reasons.get(keyOf(result.mutant)) }))
    .toSorted((a, b) => compare(a.mutant.file, b.mutant.file) || a.mutant.line - b.mutant.line);
  const unexplained = survivors.filter(({ reason }) => reason === undefined);
  const score = scoreOf(results);
  const failures = [
    ...stale.map((problem) => `accepted.json: ${problem}`),
    ...(score < LOWEST_SCORE
      ? [`${percent(score)} killed, at least ${percent(LOWEST_SCORE)} expected`]
      : []),
    ...(unexplained.length > MOST_UNEXPLAINED * results.length
      ? [
          `${unexplained.length} survivors without a reason, at most ${percent(MOST_UNEXPLAINED)} allowed`,
        ]
      : []),
  ];
  const text = [
    'Survivors',
    ...survivors.map(({ mutant, state, reason }) => {
      const word = reason ?? (state === 'untested' ? 'NEW, no test enters it' : 'NEW');
      const nth = mutant.nth > 1 ? ` (${mutant.nth})` : '';
      return `  ${mutant.file}:${mutant.line}  ${mutant.in} · ${mutant.change}${nth}  [${word}]`;
    }),
    '',
    ...table(results, unexplained),
    '',
    ...(failures.length === 0
      ? ['Mutation testing passes.']
      : failures.map((line) => `Failed: ${line}`)),
  ].join('\n');
  return { text, failures };
}

function table(results, unexplained) {
  const groups = [...new Set(results.map(({ group }) => group))];
  const line = (name, some) => [
    name,
    some.length,
    some.filter(({ state }) => state === 'killed').length,
    some.filter(({ state }) => state === 'timeout').length,
    some.filter(isSurvivor).length,
    unexplained.filter(({ group }) => name === 'all' || group === name).length,
    percent(scoreOf(some)),
  ];
  const rows = [
    ['group', 'mutants', 'killed', 'timeout', 'survived', 'NEW', 'score'],
    ...groups.map((name) =>
      line(
        name,
        results.filter(({ group }) => group === name),
      ),
    ),
    line('all', results),
  ];
  return rows.map((cells) =>
    cells.map((cell, i) => (i === 0 ? String(cell).padEnd(12) : String(cell).padStart(9))).join(''),
  );
}

function isSurvivor({ state }) {
  return state === 'survived' || state === 'untested';
}

function scoreOf(results) {
  return results.length === 0 ? 1 : 1 - results.filter(isSurvivor).length / results.length;
}

function percent(share) {
  return `${(share * 100).toFixed(1)} %`;
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}
