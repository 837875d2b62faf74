// What a call, a list, a wrong name and a change of the list cost with few and with many tools.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ask, request, requestText } from '../load/client.mjs';
import { drive } from '../load/drive.mjs';
import { httpClient } from '../load/http-client.mjs';
import { quantile } from '../load/statistics.mjs';
import { warmUp } from '../load/warm-up.mjs';
import { callsignOnHttp, callsignOnStdio } from '../lineup/callsign.mjs';
import { scratch } from '../lineup/contestant.mjs';
import { hear, launch, stop } from '../processes.mjs';
import { inRounds, startAll, stopAll } from '../rounds.mjs';

const BYTES = join(import.meta.dirname, '../floor/bytes.mjs');
const SCENARIO = 'catalogue';
const WHO = 'callsign';
const WRONG_NAMES = 5;

export const catalogue = {
  id: SCENARIO,
  title: 'Small and large catalogues',
  async run(context) {
    context.results.expect(context.plan.catalogues.map(loadOf));
    await callsAndChanges(context);
    for (const count of context.plan.catalogues) await lists(count, context);
  },
};

const loadOf = (count) => `${count.toLocaleString('en')} tools`;

/** Gateways with catalogues of every size run side by side, because the result is their ratio. */
async function callsAndChanges(context) {
  const { plan, results } = context;
  const all = [];
  for (const count of plan.catalogues) {
    const servers = { one: [`--tools=${count}`] };
    const started = await startAll([callsignOnStdio('default')], servers, context);
    all.push(...started.map(({ running }) => ({ running, load: loadOf(count) })));
  }
  for (const { running } of all) await warmUp(running, 'echo', plan);
  const turn = (name, measure) =>
    all.map(({ running, load }) => ({
      name: `${name} with ${load}`,
      async run(counts) {
        for (const [figure, value] of await measure(running, plan)) {
          if (counts) results.add({ scenario: SCENARIO, load, who: WHO, figure }, value);
        }
      },
    }));
  await inRounds(turn('Calls', tinyCalls), { ...context, rounds: plan.rounds });
  await inRounds(turn('Names and changes', changes), { ...context, rounds: plan.starts });
  await stopAll(all);
}

async function tinyCalls({ client, call }, { turnMs }) {
  const echo = [call({ server: 'one', tool: 'echo', args: '"text":"x"' })];
  const turn = { calls: echo, inFlight: 16, ms: turnMs, leastBytes: 1 };
  const { calls: made, seconds } = await drive(client, turn);
  return [['µs per call', (seconds * 1e6) / made]];
}

/** Separate from the calls, because a new list of many tools leaves garbage to collect. */
async function changes(running) {
  return [
    ['ms per wrong name', await wrongNames(running)],
    ['ms until a change is announced', await listChange(running)],
  ];
}

/** The answer to a name that does not exist, which includes the search for similar names. */
async function wrongNames({ client, call }) {
  const start = performance.now();
  for (let i = 0; i < WRONG_NAMES; i++) {
    const { error } = await ask(client, call({ server: 'one', tool: `ecko${i}`, args: '' }));
    if (error === undefined) throw new Error('A tool that does not exist was found.');
  }
  return (performance.now() - start) / WRONG_NAMES;
}

/** The time from a new tool at a server to the notice at the client. */
async function listChange({ client, call }) {
  const told = new Promise((resolve) => {
    client.onNotice((line) => line.includes('tools/list_changed') && resolve());
  });
  const start = performance.now();
  await ask(client, call({ server: 'one', tool: 'grow', args: '' }));
  await told;
  return performance.now() - start;
}

/** The list over HTTP, compared with the same bytes from a plain HTTP server. */
async function lists(count, context) {
  const { plan, results, say } = context;
  const load = loadOf(count);
  const servers = { one: [`--tools=${count}`] };
  const started = await startAll([callsignOnHttp('default')], servers, context);
  if (started.length === 0) return;
  const [{ running }] = started;
  const listed = JSON.stringify(await request(running.client, 'tools/list'));
  const file = join(scratch, `list-${count}.json`);
  writeFileSync(file, listed);
  const launched = launch([BYTES, file], { listener: 'http' });
  const [, url] = await hear(launched, /listens on (\S+)/);
  const sides = [
    { who: WHO, client: running.client },
    { who: 'bytes', client: httpClient(url, { era: 'session', name: '' }) },
  ];
  const turns = sides.map(({ who, client }) => ({
    name: `The list of ${load} (${who})`,
    async run(counts) {
      const calls = [requestText('tools/list', '{}')];
      const leastBytes = listed.length - 100;
      const { latencies } = await drive(client, {
        calls,
        inFlight: 1,
        ms: plan.turnMs,
        leastBytes,
      });
      const at = { scenario: SCENARIO, load, who };
      if (counts) results.add({ ...at, figure: 'ms per list' }, quantile(latencies, 0.5));
    },
  }));
  const tell = (text) => say(`the list of ${load}: ${text}`);
  await inRounds(turns, { ...context, rounds: plan.rounds, say: tell });
  sides[1].client.close();
  await Promise.all([stop(launched), stopAll(started)]);
}
