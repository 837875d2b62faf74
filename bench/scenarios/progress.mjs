// Calls that report progress all the time: each report passes through the gateway.
import { drive } from '../load/drive.mjs';
import { callsignOnStdio } from '../lineup/callsign.mjs';
import { CHILD, relayOnStdio } from '../lineup/floor.mjs';
import { inRounds, startAll, stopAll } from '../rounds.mjs';

const WORDS = 100;
const LOAD = `${WORDS} a call`;

export const progress = {
  id: 'progress',
  title: 'Calls with many progress reports',
  async run(context) {
    const { plan, results } = context;
    const contestants = [CHILD, relayOnStdio(), callsignOnStdio('default')];
    const started = await startAll(contestants, { one: ['--tools=10'] }, context);
    const turns = started.map(({ contestant: { who, label }, running }) => ({
      name: `${label} (progress)`,
      async run(counts) {
        let heard = 0;
        running.client.onNotice(() => heard++);
        const [args, meta] = [`"count":${WORDS}`, '"progressToken":"token"'];
        const calls = [running.call({ server: 'one', tool: 'progress', args, meta })];
        const turn = { calls, inFlight: 1, ms: plan.turnMs, leastBytes: 1 };
        const { calls: made, seconds } = await drive(running.client, turn);
        if (heard !== made * WORDS) throw new Error(`${heard} of ${made * WORDS} words came.`);
        const at = { scenario: 'progress', load: LOAD, who };
        if (counts) results.add({ ...at, figure: 'reports/s' }, heard / seconds);
      },
    }));
    await inRounds(turns, { ...context, rounds: plan.rounds });
    await stopAll(started);
  },
};
