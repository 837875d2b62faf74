// What audit and policy cost together: a gateway with both against the same with none, turn by turn and nobody else.
import { drive } from '../load/drive.mjs';
import { callsignOnHttp, callsignOnStdio } from '../lineup/callsign.mjs';
import { inRounds, startAll, stopAll } from '../rounds.mjs';

const DOORS = { stdio: callsignOnStdio, http: callsignOnHttp };
const IN_FLIGHT = [16, 64];
const loadOf = (door, inFlight) => `${door}, ${inFlight} in flight`;

export const GOVERNING_LOADS = Object.keys(DOORS).flatMap((door) =>
  IN_FLIGHT.map((inFlight) => loadOf(door, inFlight)),
);

export const governing = {
  id: 'governing',
  title: 'Audit and policy on, and off',
  async run(context) {
    const { plan, results, say } = context;
    results.expect(GOVERNING_LOADS);
    for (const [door, callsign] of Object.entries(DOORS)) {
      const contestants = [callsign('plain'), callsign('governed')];
      const started = await startAll(contestants, { one: ['--tools=10'] }, context);
      for (const inFlight of IN_FLIGHT) {
        const load = loadOf(door, inFlight);
        const turns = started.map(({ contestant: { who, label }, running }) => ({
          name: `${label} (governing, ${load})`,
          async run(counts) {
            const calls = [running.call({ server: 'one', tool: 'echo', args: '"text":"x"' })];
            const turn = { calls, inFlight, ms: plan.turnMs, leastBytes: 1 };
            const { calls: made, seconds } = await drive(running.client, turn);
            const at = { scenario: 'governing', load, who, figure: 'calls/s' };
            if (counts) results.add(at, made / seconds);
          },
        }));
        const told = { ...context, say: (text) => say(`${load}: ${text}`) };
        await inRounds(turns, { ...told, rounds: plan.pairs });
      }
      await stopAll(started);
    }
  },
};
