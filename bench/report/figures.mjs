// Formats measured values for the screen and the page.

export function figure(value) {
  if (Number.isNaN(value)) return '–';
  if (value >= 1_000) return Math.round(value).toLocaleString('en');
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3);
}

/** @param {import('../bars.mjs').Bar} bar */
export function limitOf({ atLeast, atMost, unit }) {
  const limit = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
  return unit === undefined ? limit : `${limit} ${unit}`;
}

/** The value of a bar and its middle half, as text. @param {import('../bars.mjs').Judgement} judgement */
export function barValue({ bar: { unit = '×' }, median, low, high }) {
  if (Number.isNaN(median)) return { value: '–', spread: '–' };
  return { value: `${median.toFixed(2)} ${unit}`, spread: `${low.toFixed(2)}–${high.toFixed(2)}` };
}

/** @param {import('../bars.mjs').Judgement[]} judgements */
export function barTable(judgements) {
  const rows = judgements.map((judgement) => {
    const { bar, verdict } = judgement;
    const { value, spread } = barValue(judgement);
    const mark = verdict === 'missed' ? 'MISSED' : verdict;
    return [mark, value, spread, limitOf(bar), `${bar.what} [${bar.id}]`];
  });
  return textTable([['', 'median', 'spread', 'bar', ''], ...rows]);
}

/** @param {import('../results.mjs').Results} results */
export function seriesTable(results, scenario, labels) {
  const rows = results.series({ scenario }).map(({ load, who, figure: unit, values }) => {
    const median = results.median({ scenario, load, who, figure: unit });
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return [load, labels.get(who) ?? who, figure(median), unit, `${figure(low)}–${figure(high)}`];
  });
  return textTable(rows);
}

function textTable(rows) {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column].length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
