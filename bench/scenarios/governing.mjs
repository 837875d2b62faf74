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
    context.results.expect(GOVERNING_LOADS);
    for (const [door, callsign] of Object.entries(DOORS)) {
      const contestants = [callsign('plain'), callsign('governed')];
      const started = await startAll(contestants, { one: ['--tools=10'] }, context);
      for (const { running } of started) await made(running, context.plan.warmUp);
      for (const inFlight of IN_FLIGHT) await compare(started, door, inFlight, context);
      await stopAll(started);
    }
  },
};

async function compare(started, door, inFlight, context) {
  const { plan, results, say } = context;
  const load = loadOf(door, inFlight);
  const turns = started.map(({ contestant: { who, label }, running }) => ({
    name: `${label} (governing, ${load})`,
    async run(counts) {
      const { calls, seconds } = await made(running, { inFlight, ms: plan.turnMs });
      const at = { scenario: 'governing', load, who, figure: 'calls/s' };
      if (counts) results.add(at, calls / seconds);
    },
  }));
  const told = { ...context, say: (text) => say(`${load}: ${text}`) };
  await inRounds(turns, { ...told, rounds: plan.pairs });
}

/** Calls, as many as there were in the time. */
function made({ client, call }, turn) {
  const calls = [call({ server: 'one', tool: 'echo', args: '"text":"x"' })];
  return drive(client, { inFlight: 16, leastBytes: 1, ...turn, calls });
}
