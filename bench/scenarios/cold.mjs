// The first calls after a start, before anything is compiled: every start of a client begins like this.
import { drive } from '../load/drive.mjs';
import { callsignOnStdio } from '../lineup/callsign.mjs';
import { relayOnStdio } from '../lineup/floor.mjs';
import { startAll, stopAll } from '../rounds.mjs';

const CALLS = 1_000;
const IN_FLIGHT = 16;
const LOAD = 'the first 1,000 calls';

export const cold = {
  id: 'cold',
  title: 'The first calls after a start',
  async run(context) {
    const { plan, results, say } = context;
    results.expect([LOAD]);
    for (let round = 1; round <= plan.coldStarts; round++) {
      say(`round ${round} of ${plan.coldStarts}`);
      for (const contestant of [relayOnStdio(), callsignOnStdio('default')]) {
        const quiet = { ...context, say: () => undefined };
        const started = await startAll([contestant], { one: ['--tools=10'] }, quiet);
        for (const { running } of started) {
          const calls = [running.call({ server: 'one', tool: 'echo', args: '"text":"x"' })];
          const load = { calls, inFlight: IN_FLIGHT, ms: Infinity, maxCalls: CALLS, leastBytes: 1 };
          const { seconds } = await drive(running.client, load);
          const at = { scenario: 'cold', load: LOAD, who: contestant.who };
          results.add({ ...at, figure: 'calls/s' }, CALLS / seconds);
        }
        await stopAll(started);
      }
    }
  },
};
