// Calls per second and the time of one call: by payload, by calls in flight, through either listener, beside everyone else.
import { drive } from '../load/drive.mjs';
import { quantile } from '../load/statistics.mjs';
import { callsignOnHttp, callsignOnStdio } from '../lineup/callsign.mjs';
import { CHILD, RELAY_HTTP, RELAY_STDIO } from '../lineup/floor.mjs';
import { NPM_PEERS, SDK_HTTP, SDK_STDIO } from '../lineup/peers.mjs';
import { coreTime } from '../processes.mjs';
import { inRounds, startAll, stopAll } from '../rounds.mjs';
import { VARIANTS } from '../variants.mjs';

/** @typedef {{ load: string, inFlight: number, bytes: number }} Load */

/** Those who differ by less than the machine does from one moment to the next. */
const CLOSE = ['relay', 'http-relay', 'callsign-plain', 'callsign-governed'];
/** @type {Load[]} */
const LOADS = [
  { load: '1 in flight', inFlight: 1, bytes: 1 },
  { load: '16 in flight', inFlight: 16, bytes: 1 },
  { load: '64 in flight', inFlight: 64, bytes: 1 },
  { load: '10 KB', inFlight: 16, bytes: 10_000 },
  { load: '1 MB', inFlight: 4, bytes: 1_000_000 },
];
const SERVERS = { one: ['--tools=10'] };
const variants = Object.keys(VARIANTS);

export const stdioCalls = {
  id: 'stdio',
  title: 'Calls over stdio',
  peers: true,
  run(context) {
    const peers = context.hasPeers ? NPM_PEERS.filter(({ listener }) => listener === 'stdio') : [];
    const ours = variants.map((variant) => callsignOnStdio(variant));
    const stateless = callsignOnStdio('governed', 'stateless');
    return measure('stdio', [CHILD, RELAY_STDIO, ...ours, stateless, SDK_STDIO, ...peers], context);
  },
};

export const httpCalls = {
  id: 'http',
  title: 'Calls over HTTP',
  peers: true,
  run(context) {
    const peers = context.hasPeers ? NPM_PEERS.filter(({ listener }) => listener === 'http') : [];
    const ours = variants.map((variant) => callsignOnHttp(variant));
    const stateless = callsignOnHttp('governed', 'stateless');
    return measure('http', [RELAY_HTTP, ...ours, stateless, SDK_HTTP, ...peers], context);
  },
};

async function measure(scenario, contestants, context) {
  const { plan, results, say } = context;
  results.expect(LOADS.map(({ load }) => load));
  const started = await startAll(contestants, SERVERS, context);
  for (const { running } of started) await warmUp(running, plan);
  for (const { load, inFlight, bytes } of LOADS) {
    if (bytes > 1 && !plan.payloads.includes(bytes)) continue;
    const turns = started.map(({ contestant, running }) => ({
      who: contestant.who,
      name: `${contestant.label} (${scenario}, ${load})`,
      async run(counts) {
        const args = `"text":"${'x'.repeat(bytes)}"`;
        const calls = [running.call({ server: 'one', tool: 'echo', args })];
        const turn = { calls, inFlight, ms: plan.turnMs, leastBytes: bytes };
        const before = coreTime(running.pid);
        const { calls: count, seconds, latencies } = await drive(running.client, turn);
        const after = coreTime(running.pid);
        if (!counts) return;
        const at = { scenario, load, who: contestant.who };
        results.add({ ...at, figure: 'calls/s' }, count / seconds);
        results.add({ ...at, figure: 'p50 ms' }, quantile(latencies, 0.5));
        results.add({ ...at, figure: 'p99 ms' }, quantile(latencies, 0.99));
        if (after === undefined) return;
        results.add({ ...at, figure: 'core µs a call' }, (after - before) / count);
      },
    }));
    const told = { ...context, say: (text) => say(`${load}: ${text}`) };
    await inRounds(turns, { ...told, rounds: plan.rounds });
    if (bytes > 1 || plan.closeRounds === 0) continue;
    const close = turns.filter(({ who }) => CLOSE.includes(who));
    await inRounds(close, { ...told, rounds: plan.closeRounds });
  }
  await stopAll(started);
}

/** Compiled code is what is measured. Whoever fails here fails again where it is noted. */
async function warmUp({ client, call }, plan) {
  const calls = [call({ server: 'one', tool: 'echo', args: '"text":"x"' })];
  const load = { ...plan.warmUp, calls, inFlight: 16, leastBytes: 1 };
  await drive(client, load).catch(() => undefined);
}
