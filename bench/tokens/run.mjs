// How many tokens a model reads with a server's tools shown flat, as five tools, or as two: the list alone, and whole
// sessions. Writes the tables into docs/tokens.md, and the curve beside it. `--json` prints the figures instead.
// `--openapi FILE` adds a document, such as that of GitHub in the npm package @octokit/openapi.
import { readFileSync, writeFileSync } from 'node:fs';

import { corpora } from './corpora.mjs';
import { curve } from './curve.mjs';
import {
  chosen,
  crudeSession,
  flatSession,
  foundSession,
  searchSession,
  total,
} from './session.mjs';
import { playTasks } from './tasks.mjs';

const SIZES = [1, 10, 25];
const PAGE = new URL('../../docs/tokens.md', import.meta.url);
const CURVE = new URL('../../docs/mcpaql-tokens.svg', import.meta.url);
const MARKERS = ['<!-- tokens:start -->', '<!-- tokens:end -->'];

/** The ways to show tools, each with its cost for these operations. */
async function costsOf(parts, operations) {
  return {
    flat: flatSession(parts, operations),
    crude: await crudeSession(parts, operations, { atOnce: true }),
    crudeEach: await crudeSession(parts, operations, { atOnce: false }),
    found: await foundSession(parts, operations),
    search: await searchSession(parts, operations),
  };
}

const results = [];
const at = process.argv.indexOf('--openapi');
const document = at === -1 ? undefined : readFileSync(process.argv[at + 1], 'utf8');
for (const { title, parts } of corpora(document)) {
  const count = parts.flatMap(({ tools }) => tools).length;
  const sessions = new Map();
  for (const size of [0, ...SIZES].filter((each) => each <= count)) {
    sessions.set(size, await costsOf(parts, chosen(parts, size)));
  }
  results.push({ title, parts, count, sessions });
}

const number = (value) => value.toLocaleString('en');
const saved = (cost, flat) => {
  const share = Math.round(100 * (1 - total(cost) / total(flat)));
  return `${number(total(cost))} (${share < 0 ? '+' : '−'}${Math.abs(share)} %)`;
};

function listRow({ title, count, sessions }) {
  const { flat, crude, search } = sessions.get(0);
  return `| ${title} | ${count} | ${Math.round(flat.list / count)} | ${number(flat.list)} | ${saved(crude, flat)} | ${saved(search, flat)} |`;
}

function sessionRows({ title, sessions }) {
  return SIZES.filter((size) => sessions.has(size)).map((size) => {
    const { flat, crude, crudeEach, found, search } = sessions.get(size);
    return `| ${title} | ${size} | ${number(total(flat))} | ${saved(crude, flat)} | ${saved(crudeEach, flat)} | ${saved(found, flat)} | ${saved(search, flat)} |`;
  });
}

const played = await playTasks();
const WAYS = { flat: 'flat', set: 'a set', search: 'two tools', crude: 'five tools' };

function taskRow({ title, calls, costs }) {
  const cells = Object.keys(WAYS).map((way) => {
    const { context, read, trips } = costs[way];
    return `${trips} / ${number(context)} / ${number(read)}`;
  });
  return `| ${title} (${calls} calls) | ${cells.join(' | ')} |`;
}

const sumOf = (way) =>
  played.tasks
    .map(({ costs }) => costs[way])
    .reduce((a, b) => ({
      context: a.context + b.context,
      read: a.read + b.read,
      trips: a.trips + b.trips,
    }));
const sums = {
  title: 'all five',
  calls: played.tasks.reduce((sum, { calls }) => sum + calls, 0),
  costs: Object.fromEntries(Object.keys(WAYS).map((way) => [way, sumOf(way)])),
};

const tables = `### Five tasks over ${played.tools} tools

The set has ${played.setTools} of the tools.

Each cell has the round trips, the context at the end, and what is read in all turns.

| ${['task', ...Object.values(WAYS)].join(' | ')} |
| --- | ---: | ---: | ---: | ---: |
${[...played.tasks, sums].map(taskRow).join('\n')}

### The list alone

| server | tools | tokens per tool | flat | five tools | two tools |
| --- | ---: | ---: | ---: | ---: | ---: |
${results.map(listRow).join('\n')}

### Whole sessions

| server | operations | flat | five tools, asked at once | five tools, asked one by one | five tools, searched | two tools |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
${results.flatMap(sessionRows).join('\n')}
`;

if (process.argv.includes('--json')) {
  const plain = results.map(({ title, count, sessions }) => ({
    title,
    count,
    sessions: Object.fromEntries(sessions),
  }));
  console.log(JSON.stringify({ lists: plain, played }, null, 2));
} else {
  const largest = results.at(-1);
  const lines = {
    flat: 'flat',
    crude: 'five tools, asked at once',
    crudeEach: 'five tools, one by one',
    search: 'two tools',
  };
  const points = new Map(Object.keys(lines).map((way) => [way, []]));
  for (let size = 0; size <= 25; size++) {
    const cost = await costsOf(largest.parts, chosen(largest.parts, size));
    for (const [way, own] of points) own.push([size, total(cost[way])]);
  }
  const drawn = Object.entries(lines).map(([way, label]) => ({ label, points: points.get(way) }));
  writeFileSync(
    CURVE,
    curve(`Tokens of a session, ${largest.count} operations to choose from`, drawn),
  );
  const page = readFileSync(PAGE, 'utf8');
  const [start, end] = MARKERS.map((marker) => page.indexOf(marker));
  if (start === -1 || end < start)
    throw new Error(`docs/tokens.md needs the markers ${MARKERS.join(' and ')}.`);
  writeFileSync(PAGE, `${page.slice(0, start)}${MARKERS[0]}\n\n${tables}\n${page.slice(end)}`);
  console.log(tables);
}
