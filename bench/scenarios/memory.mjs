// Memory over many calls, which shows leaks.
import { drive } from '../load/drive.mjs';
import { callsignOnHttp, callsignOnStdio } from '../lineup/callsign.mjs';
import { relayOnHttp, relayOnStdio } from '../lineup/floor.mjs';
import { megabytes } from '../processes.mjs';
import { startAll, stopAll } from '../rounds.mjs';

const IN_FLIGHT = 64;
const READINGS = 10;

export const memory = {
  id: 'memory',
  title: 'Memory over many calls',
  async run(context) {
    const { plan, results, say } = context;
    results.expect(['stdio', 'http']);
    const [few, many] = plan.memoryCalls;
    const contestants = [
      relayOnStdio(),
      callsignOnStdio('default'),
      relayOnHttp(),
      callsignOnHttp('default'),
    ];
    for (const contestant of contestants) {
      const started = await startAll([contestant], { one: ['--tools=10'] }, context);
      for (const { running } of started) {
        const calls = [running.call({ server: 'one', tool: 'echo', args: '"text":"x"' })];
        const load = contestant.listener;
        const at = { scenario: 'memory', load, who: contestant.who };
        results.add({ ...at, figure: 'MB idle' }, megabytes(running.pid));
        const make = async (count, figure) => {
          say(`${contestant.label} (${load}): ${count.toLocaleString('en')} calls`);
          results.add({ ...at, figure }, await lowest(running, calls, count));
        };
        await make(few, `MB after ${few.toLocaleString('en')} calls`);
        await make(many - few, `MB after ${many.toLocaleString('en')} calls`);
      }
      await stopAll(started);
    }
  },
};

/**
 * Memory rises and falls between garbage collections, so the lowest of the last readings counts.
 */
async function lowest({ client, pid }, calls, count) {
  const part = Math.ceil(count / (2 * READINGS));
  const readings = [];
  for (let i = 0; i < 2 * READINGS; i++) {
    await drive(client, {
      calls,
      inFlight: IN_FLIGHT,
      ms: Infinity,
      maxCalls: part,
      leastBytes: 1,
    });
    readings.push(megabytes(pid));
  }
  return Math.min(...readings.slice(-READINGS));
}
