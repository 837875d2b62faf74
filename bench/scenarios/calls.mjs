// Calls per second and the time of one call, by payload, calls in flight, listener and label of the tool.
import { drive } from '../load/drive.mjs';
import { quantile } from '../load/statistics.mjs';
import { warmUp } from '../load/warm-up.mjs';
import { callsignOnHttp, callsignOnStdio } from '../lineup/callsign.mjs';
import { CHILD, relayOnHttp, relayOnStdio } from '../lineup/floor.mjs';
import { NPM_PEERS, SDK_HTTP, SDK_STDIO } from '../lineup/peers.mjs';
import { coreTime } from '../processes.mjs';
import { inRounds, startAll, stopAll } from '../rounds.mjs';
import { VARIANTS } from '../variants.mjs';

/** @typedef {{ load: string, inFlight: number, bytes: number, texts?: number }} Load `texts`: how many different ones */

/** @type {Load[]} */
const LOADS = [
  { load: '1 in flight', inFlight: 1, bytes: 1 },
  { load: '16 in flight', inFlight: 16, bytes: 1 },
  { load: '64 in flight', inFlight: 64, bytes: 1 },
  { load: '32 in flight, distinct', inFlight: 32, bytes: 8, texts: 1_000 },
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
    const [plain, stateless] = [
      callsignOnStdio('default'),
      callsignOnStdio('default', 'stateless'),
    ];
    const [relay, statelessRelay] = [relayOnStdio(), relayOnStdio('stateless')];
    const all = [CHILD, relay, statelessRelay, ...ours, stateless, SDK_STDIO, ...peers];
    const alone = [
      [CHILD, relay, plain],
      [statelessRelay, stateless],
    ];
    return measure('stdio', all, alone, context);
  },
};

export const httpCalls = {
  id: 'http',
  title: 'Calls over HTTP',
  peers: true,
  run(context) {
    const peers = context.hasPeers ? NPM_PEERS.filter(({ listener }) => listener === 'http') : [];
    const ours = variants.map((variant) => callsignOnHttp(variant));
    const [plain, stateless] = [callsignOnHttp('default'), callsignOnHttp('default', 'stateless')];
    const [relay, statelessRelay] = [relayOnHttp(), relayOnHttp('stateless')];
    const all = [relay, statelessRelay, ...ours, stateless, SDK_HTTP, ...peers];
    const alone = [
      [relay, plain],
      [statelessRelay, stateless],
    ];
    return measure('http', all, alone, context);
  },
};

/**
 * First all contestants together. Then, with small payloads, those that differ by little, as a person runs them: one
 * gateway, and nothing else beside it. They are started several times, because V8 compiles each process differently.
 */
async function measure(scenario, all, alone, context) {
  const { plan, say } = context;
  context.results.expect(LOADS.map(({ load }) => load));
  const loads = LOADS.filter(({ bytes }) => plan.payloads.includes(bytes));
  await measureGroup(scenario, all, { ...context, loads, rounds: plan.rounds });
  const small = loads.filter(({ bytes }) => bytes === 1);
  for (let start = 1; start <= plan.aloneStarts; start++) {
    for (const group of alone) {
      const told = { ...context, say: (text) => say(`start ${start}: ${text}`) };
      await measureGroup(scenario, group, { ...told, loads: small, rounds: plan.aloneRounds });
    }
  }
}

async function measureGroup(scenario, contestants, { loads, rounds, ...context }) {
  const { plan, say } = context;
  const started = await startAll(contestants, SERVERS, context);
  const called = started.flatMap(({ contestant: { who, label, tools = [] }, running }) =>
    [{ who, label, tool: 'echo' }, ...tools].map((each) => ({ ...each, running })),
  );
  for (const { tool, running } of called) await warmUp(running, tool, plan);
  for (const load of loads) {
    const turns = called.map((each) => turn(each, { scenario, ...load }, context));
    const told = { ...context, say: (text) => say(`${load.load}: ${text}`) };
    await inRounds(turns, { ...told, rounds });
  }
  await stopAll(started);
}

function turn({ who, label, tool, running }, load, { plan, results }) {
  const { scenario, load: name, inFlight, bytes, texts = 1 } = load;
  const calls = Array.from({ length: texts }, (_, i) => {
    const text = texts === 1 ? 'x'.repeat(bytes) : String(i).padStart(bytes, 'x');
    return running.call({ server: 'one', tool, args: `"text":"${text}"` });
  });
  const at = { scenario, load: name, who };
  return {
    name: `${label} (${scenario}, ${name})`,
    async run(counts) {
      const before = coreTime(running.pid);
      const loop = { calls, inFlight, ms: plan.turnMs, leastBytes: bytes };
      const { calls: count, seconds, latencies } = await drive(running.client, loop);
      const after = coreTime(running.pid);
      if (!counts) return;
      results.add({ ...at, figure: 'calls/s' }, count / seconds);
      results.add({ ...at, figure: 'p50 ms' }, quantile(latencies, 0.5));
      results.add({ ...at, figure: 'p99 ms' }, quantile(latencies, 0.99));
      if (after === undefined) return;
      results.add({ ...at, figure: 'core µs per call' }, (after - before) / count);
    },
  };
}
