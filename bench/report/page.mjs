// The page docs/performance.md.
import { summary } from '../load/statistics.mjs';
import { labels } from '../lineup/labels.mjs';
import { barValue, figure, limitOf } from './figures.mjs';

/** Scenarios that are shown as tables of loads: the title, and the metrics that get a table. */
const TABLES = [
  ['stdio', 'Over stdio', ['calls/s', 'p99 ms', 'core µs per call']],
  ['http', 'Over HTTP', ['calls/s', 'p99 ms', 'core µs per call']],
  ['children', 'One server and many', ['calls/s']],
  [
    'catalogue',
    'Few tools and many',
    ['µs per call', 'ms per list', 'ms per wrong name', 'ms until a change is announced'],
  ],
  ['start-up', 'Start-up', ['ms to the first call', 'MB']],
  ['command', 'The first output of the command', ['ms']],
  ['cold', 'The first calls after a start', ['calls/s']],
  [
    'lists',
    'The first list with 26 servers, two of them slow',
    [
      'ms from the start',
      'ms from the request',
      'share of all tools',
      'list changes announced',
      's on a core',
      'MB',
    ],
  ],
  ['neighbour', 'A fast server beside a bad one', ['p50 ms', 'p99 ms']],
  ['progress', 'Calls with many progress reports', ['reports/s']],
  ['modules', 'What each module costs', ['µs per call']],
  ['names', 'What a name costs', ['ns per name']],
];

export function pageOf({ results, judgements, machine, seconds }) {
  const { versions, ...place } = machine;
  return `# Performance

Written by \`npm run bench\`; do not edit.

What does the gateway cost? This page compares four cases: no gateway, a minimal relay, Callsign, and other gateways from
npm. [The bench](../bench/README.md) explains how they are measured.

Compare the ratios. Both sides of a ratio are measured in the same round of the same run, so that other work on the machine
affects both. Absolute numbers depend on the machine. This run took ${seconds} seconds on ${place.cores} cores
(${place.processor}, ${place.memory}, ${place.system}), Node ${place.node.slice(1)}. The load generator, the gateway and the servers behind
it share these cores.

- **The server alone**: a client and a server, without a gateway.
- **Bare relay**: a minimal gateway that parses each message, forwards it, and does nothing else.
- **Peer**: another gateway.
- **In flight**: how many calls wait for an answer at the same time.
- **Middle half**: half of the rounds had a value in this range.
- **Bar**: the limit that the median must keep.
- **Core µs per call**: the time that the gateway's process spent on a core. It depends least on other work on the machine.

## What must hold

Every bar is about the default: a plain \`mcpServers\` file without a \`callsign\` key, run by the bundled command. Records and
labels are on. A row that needs a setting names it.

| | what | median | middle half | bar |
| --- | --- | --- | --- | --- |
${judgements.map(barRow).join('\n')}

${plot('calls-stdio', 'Calls per second over stdio')}
${plot('calls-http', 'Calls per second over HTTP')}
${plot('payloads-stdio', 'Payloads over stdio')}
${plot('payloads-http', 'Payloads over HTTP')}
${rustSection(results)}
${GIVEN_UP}
## Figures

The tables show medians.

${TABLES.map((each) => section(each, results)).join('\n')}
${memorySection(results)}
${notesSection(results)}## Versions

${Object.entries(versions)
  .map(([name, version]) => `- \`${name}\` ${version}`)
  .join('\n')}

## Run it yourself

On a machine that does nothing else:

\`\`\`sh
npm run bench
\`\`\`

\`npm run bench -- --check\` fails if a bar is missed. \`--quick\` takes less than a minute, \`--only stdio\` runs one scenario, and
\`--json FILE\` writes every value of every round.
`;
}

const GIVEN_UP = `## What was given up for speed

- A record of a call survives the end of the gateway, but not a power failure: it is written without waiting for the disk.
  \`durability: disk\` waits, and the tables below show what that costs.
- The record of a call that only reads is written up to 200 ms after the call. A gateway that is killed in that time loses it.
- The tables of records are filled when no call was made for half a minute, or after ten minutes. The first query after many
  calls waits until they are filled.
- Lines that are ready in the same turn of the event loop are sent together. A line waits for the end of the turn, or until
  there are about 1,000 characters.
- A list of tools that was seen at an earlier start is shown before the server has started, and may be out of date
  ([the lifecycle](lifecycle.md)).
`;

function barRow(judgement) {
  const { bar, verdict } = judgement;
  const mark = verdict === 'missed' ? '**missed**' : verdict;
  const { value, spread } = barValue(judgement);
  return `| ${[mark, bar.what, value, spread, limitOf(bar)].join(' | ')} |`;
}

/** The best published result of a gateway in Rust, and ours, measured in the same way. */
function rustSection(results) {
  const load = '32 in flight, distinct';
  const against = (who, unit) => {
    const at = { scenario: 'stdio', load, figure: unit };
    return results.ratio({ ...at, who }, { ...at, who: 'child' });
  };
  const row = (who, label) => {
    const [calls, p50] = [against(who, 'calls/s'), against(who, 'p50 ms')];
    return `| ${label} | ${calls.median.toFixed(2)} | ${p50.median.toFixed(2)} |`;
  };
  return `## Beside a gateway in Rust

The best published figure of a proxy in Rust: with 32 calls in flight, it has 0.40 of the throughput and 2.04 times the p50
of a direct connection. We measured the other rows in the same way: 32 calls in flight with distinct arguments, against the
server alone. The machines differ. Here the load generator, the gateway and the server share the cores.

| | calls/s, of direct | p50, times direct |
| --- | --- | --- |
| a proxy in Rust, as published | 0.40 | 2.04 |
${row('relay', 'the bare relay')}
${row('callsign', 'Callsign, a tool that reads')}
${row('callsign-change', 'Callsign, a tool that changes something')}
`;
}

function plot(name, title) {
  return `![${title}](performance/${name}.svg)\n`;
}

function section([scenario, title, figures], results) {
  const tables = figures.map((unit) => table(scenario, unit, results));
  return `### ${title}\n\n${tables.join('\n')}`;
}

/** Contestants down, loads across. */
function table(scenario, unit, results) {
  const series = results.series({ scenario, figure: unit });
  if (series.length === 0) return '';
  const loads = [...new Set(series.map(({ load }) => load))];
  const rows = [...new Set(series.map(({ who }) => who))].map((who) => {
    const cells = loads.map((load) => {
      const values = results.values({ scenario, load, who, figure: unit });
      return values.length === 0 ? '–' : figure(summary(values).median);
    });
    return `| ${[labels.get(who) ?? who, ...cells].join(' | ')} |`;
  });
  return `| ${[unit, ...loads].join(' | ')} |
| ${['---', ...loads.map(() => '---')].join(' | ')} |
${rows.join('\n')}
`;
}

function memorySection(results) {
  const series = results.series({ scenario: 'memory' });
  const figures = [...new Set(series.map((each) => each.figure))];
  const rows = [...new Set(series.map(({ who, load }) => `${who}\0${load}`))].map((key) => {
    const [who, load] = key.split('\0');
    const cells = figures.map((unit) =>
      figure(results.median({ scenario: 'memory', load, who, figure: unit })),
    );
    return `| ${[`${labels.get(who) ?? who} (${load})`, ...cells].join(' | ')} |`;
  });
  return `### Memory over many calls

| ${['', ...figures].join(' | ')} |
| ${['---', ...figures.map(() => '---')].join(' | ')} |
${rows.join('\n')}
`;
}

function notesSection({ notes }) {
  if (notes.length === 0) return '';
  const lines = notes.map((note) => `- ${note}`);
  return `## Notes\n\n${lines.join('\n')}\n\n`;
}
