// A fast server beside one that floods, is slow or hangs. The fast one must not be affected.
import { ask, nextId } from '../load/client.mjs';
import { drive } from '../load/drive.mjs';
import { quantile } from '../load/statistics.mjs';
import { callsignOnStdio } from '../lineup/callsign.mjs';
import { relayOnStdio } from '../lineup/floor.mjs';
import { inRounds, startAll, stopAll } from '../rounds.mjs';

const SCENARIO = 'neighbour';
const SERVERS = { fast: ['--tools=10'], other: ['--tools=10'] };
const HELD_UP = 64;
const SLOW_MS = 50;

export const neighbour = {
  id: SCENARIO,
  title: 'A fast server beside a bad one',
  async run(context) {
    const { plan, results } = context;
    const contestants = [relayOnStdio(), callsignOnStdio('default')];
    const quiet = await startAll(contestants, SERVERS, context);
    // Calls that are never answered cannot be cancelled here, so these have their own gateway.
    const hanging = await startAll(contestants, SERVERS, context);
    for (const { running } of hanging) begin(running, 'never', '');
    results.expect(['alone', 'beside a slow one', 'beside a flood', 'beside one that hangs']);
    const turns = [
      ...quiet.map((each) => turn(each, 'alone', context)),
      ...quiet.map((each) => turn(each, 'beside a slow one', context, beSlow)),
      // The bare relay is left out: it forwards the flood and would overload the load generator.
      ...quiet
        .filter(({ contestant }) => contestant.role === 'callsign')
        .map((each) => turn(each, 'beside a flood', context, flood)),
      ...hanging.map((each) => turn(each, 'beside one that hangs', context)),
    ];
    await inRounds(turns, { ...context, rounds: plan.rounds });
    await stopAll([...quiet, ...hanging]);
  },
};

function turn(
  { contestant, running },
  load,
  { plan, results },
  during = async () => async () => {},
) {
  return {
    name: `${contestant.label} (${load})`,
    async run(counts) {
      const calls = [running.call({ server: 'fast', tool: 'echo', args: '"text":"x"' })];
      const end = await during(running);
      const ms = 2 * plan.turnMs;
      const { latencies } = await drive(running.client, { calls, inFlight: 1, ms, leastBytes: 1 });
      await end();
      if (!counts) return;
      const at = { scenario: SCENARIO, load, who: contestant.who };
      results.add({ ...at, figure: 'p50 ms' }, quantile(latencies, 0.5));
      results.add({ ...at, figure: 'p99 ms' }, quantile(latencies, 0.99));
    },
  };
}

/** Keeps slow calls in flight until it is told to stop. */
async function beSlow(running) {
  const over = new AbortController();
  const slow = running.call({ server: 'other', tool: 'slow', args: `"ms":${SLOW_MS}` });
  const again = async () => {
    while (!over.signal.aborted) await ask(running.client, slow);
  };
  const all = Array.from({ length: HELD_UP }, again);
  return async () => {
    over.abort();
    await Promise.all(all);
  };
}

async function flood(running) {
  await ask(running.client, running.call({ server: 'other', tool: 'flood', args: '' }));
  return () => ask(running.client, running.call({ server: 'other', tool: 'calm', args: '' }));
}

/** Makes calls without waiting for them. */
function begin(running, tool, args) {
  const { head, tail } = running.call({ server: 'other', tool, args });
  for (let i = 0; i < HELD_UP; i++) {
    const id = nextId();
    running.client.send(`${head}${id}${tail}`, id, () => undefined);
  }
}
