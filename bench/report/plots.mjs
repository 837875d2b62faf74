// The plots of docs/performance.md, made from the results.
import { summary } from '../load/statistics.mjs';
import { labels, roles } from '../lineup/labels.mjs';
import { barChart } from './bar-chart.mjs';
import { figure } from './figures.mjs';

const CALLS = ['1 in flight', '16 in flight', '64 in flight'];
const PAYLOADS = ['10 KB', '1 MB'];

/** @param {import('../results.mjs').Results} results @returns {[name: string, svg: string][]} */
export function plotsOf(results) {
  return ['stdio', 'http'].flatMap((scenario) => {
    const listener = scenario === 'http' ? 'HTTP' : scenario;
    return [
      [`calls-${scenario}`, chart(`Calls per second over ${listener}`, CALLS, scenario, results)],
      [
        `payloads-${scenario}`,
        chart(`Calls per second with payloads over ${listener}`, PAYLOADS, scenario, results),
      ],
    ];
  });
}

function chart(title, loads, scenario, results) {
  const panels = loads.map((load) => ({
    label: load,
    bars: results.series({ scenario, load, figure: 'calls/s' }).map(({ who, values }) => {
      const { median, low, high } = summary(values);
      const [label, role] = [labels.get(who) ?? who, roles.get(who) ?? 'peer'];
      return { label, role, value: median, low, high, text: figure(median) };
    }),
  }));
  return barChart(title, panels);
}
