// Calls spread over few and many servers: the gateway's cost of a call must not depend on how many there are.
import { drive } from '../load/drive.mjs';
import { callsignOnStdio } from '../lineup/callsign.mjs';
import { relayOnStdio } from '../lineup/floor.mjs';
import { inRounds, startAll, stopAll } from '../rounds.mjs';

const IN_FLIGHT = 64;

const loadOf = (count) => (count === 1 ? '1 server' : `${count} servers`);

export const children = {
  id: 'children',
  title: 'Calls over one and many servers',
  async run(context) {
    const { plan, results, say } = context;
    results.expect(plan.callChildren.map(loadOf));
    for (const count of plan.callChildren) {
      const load = loadOf(count);
      const keys = Array.from({ length: count }, (_, i) => `server-${i}`);
      const servers = Object.fromEntries(keys.map((key) => [key, ['--tools=10']]));
      const started = await startAll(
        [relayOnStdio(), callsignOnStdio('default')],
        servers,
        context,
      );
      const turns = started.map(({ contestant: { who, label }, running }) => ({
        name: `${label} (${load})`,
        async run(counts) {
          const calls = keys.map((server) =>
            running.call({ server, tool: 'echo', args: '"text":"x"' }),
          );
          const turn = { calls, inFlight: IN_FLIGHT, ms: plan.turnMs, leastBytes: 1 };
          const { calls: made, seconds } = await drive(running.client, turn);
          if (!counts) return;
          results.add({ scenario: 'children', load, who, figure: 'calls/s' }, made / seconds);
        },
      }));
      const tell = (text) => say(`${load}: ${text}`);
      await inRounds(turns, { ...context, rounds: plan.rounds, say: tell });
      await stopAll(started);
    }
  },
};
