// What each module alone adds to a call, compared with a gateway without audit. All but audit need
// a setting.
import { drive } from '../load/drive.mjs';
import { callsignOnStdio } from '../lineup/callsign.mjs';
import { inRounds, startAll, stopAll } from '../rounds.mjs';
import { MODULES } from '../variants.mjs';

const LOAD = '64 in flight';

export const modules = {
  id: 'modules',
  title: 'The cost of each module',
  async run(context) {
    const { plan, results } = context;
    if (!plan.modules) return;
    const contestants = ['off', ...Object.keys(MODULES)].map((variant) => callsignOnStdio(variant));
    const started = await startAll(contestants, { one: ['--tools=10'] }, context);
    const turns = started.map(({ contestant: { who, label }, running }) => ({
      name: `${label} (modules)`,
      async run(counts) {
        const calls = [running.call({ server: 'one', tool: 'echo', args: '"text":"x"' })];
        const turn = { calls, inFlight: 64, ms: plan.turnMs, leastBytes: 1 };
        const { calls: made, seconds } = await drive(running.client, turn);
        const at = { scenario: 'modules', load: LOAD, who, figure: 'µs per call' };
        if (counts) results.add(at, (seconds * 1e6) / made);
      },
    }));
    await inRounds(turns, { ...context, rounds: plan.rounds });
    await stopAll(started);
  },
};
