// How figures look to people.

export function figure(value) {
  if (Number.isNaN(value)) return '–';
  if (value >= 1_000) return Math.round(value).toLocaleString('en');
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3);
}

export function limitOf({ atLeast, atMost }) {
  return atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
}

/** @param {import('../bars.mjs').Judgement[]} judgements */
export function barTable(judgements) {
  const rows = judgements.map(({ bar, median, low, high, verdict }) => [
    verdict === 'missed' ? 'MISSED' : verdict,
    Number.isNaN(median) ? '' : `${median.toFixed(2)} ×`,
    Number.isNaN(median) ? '' : `${low.toFixed(2)}–${high.toFixed(2)}`,
    limitOf(bar),
    `${bar.what} [${bar.id}]`,
  ]);
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
