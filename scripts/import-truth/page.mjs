// The figures of the measured half, as rows of a table.
import { EMPTY_TEXT, measure } from './measure.mjs';

export function rowsOf(cases) {
  const measured = cases.filter(({ isMeasured }) => isMeasured);
  const own = measure(measured);
  const empty = measure(measured, EMPTY_TEXT);
  const row = (title, key) => `| ${title} | ${share(own[key])} | ${share(empty[key])} |`;
  return [
    `| operations | with their own texts | with "${EMPTY_TEXT}" as the only text |`,
    '| --- | ---: | ---: |',
    row('reads of published documents, chosen at random', 'realReads'),
    row('tricky reads', 'trickyReads'),
    row('**changes**', 'changes'),
  ].join('\n');
}

function share({ part, whole }) {
  return `${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %)`;
}
