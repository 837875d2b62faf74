// The time from the start of a gateway to the first call of every server, and its memory when idle.
import { setTimeout as pause } from 'node:timers/promises';

import { callsignOnStdio } from '../lineup/callsign.mjs';
import { relayOnStdio } from '../lineup/floor.mjs';
import { SDK_STDIO } from '../lineup/peers.mjs';
import { megabytes } from '../processes.mjs';
import { startAll, stopAll } from '../rounds.mjs';

/** After this time without calls, a gateway counts as idle. */
const REST_MS = 300;

const loadOf = (count) => (count === 1 ? '1 server' : `${count} servers`);

export const startUp = {
  id: 'start-up',
  title: 'Start-up and idle memory',
  async run(context) {
    const { plan, results, say } = context;
    const contestants = [relayOnStdio(), callsignOnStdio('default'), SDK_STDIO];
    results.expect(plan.startChildren.map(loadOf));
    for (let round = 1; round <= plan.starts; round++) {
      for (const count of plan.startChildren) {
        const load = loadOf(count);
        say(`${load}: round ${round} of ${plan.starts}`);
        const keys = Array.from({ length: count }, (_, i) => `server-${i}`);
        const servers = Object.fromEntries(keys.map((key) => [key, ['--tools=10']]));
        for (const contestant of contestants) {
          const start = performance.now();
          const started = await startAll([contestant], servers, { results, say: () => undefined });
          const ms = performance.now() - start;
          for (const { running } of started) {
            const at = { scenario: 'start-up', load, who: contestant.who };
            results.add({ ...at, figure: 'ms to the first call' }, ms);
            await pause(REST_MS);
            results.add({ ...at, figure: 'MB' }, megabytes(running.pid));
          }
          await stopAll(started);
        }
      }
    }
  },
};
