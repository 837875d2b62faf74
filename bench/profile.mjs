// `node bench/profile.mjs`: where Callsign spends its time under each load: the functions with the
// most self time.
// It starts a command whose functions have their names.
// Flags: --top=N, how many of them; --only=TEXT, the loads with this in their name.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { callsignOnHttp, callsignOnStdio } from './lineup/callsign.mjs';
import { requestText } from './load/client.mjs';
import { drive } from './load/drive.mjs';
import { readableCommand } from '../scripts/bundled-command.mjs';

const ROOT = join(import.meta.dirname, '..');
const COMMAND = await readableCommand();
const WARM_MS = 1_000;
const MS = 4_000;
const LOADS = [
  { name: 'stdio, 1 in flight', make: onStdio, inFlight: 1, bytes: 1 },
  { name: 'stdio, 16 in flight', make: onStdio, inFlight: 16, bytes: 1 },
  { name: 'stdio, 64 in flight', make: onStdio, inFlight: 64, bytes: 1 },
  { name: 'stdio, 10 KB, 16 in flight', make: onStdio, inFlight: 16, bytes: 10_000 },
  { name: 'stdio, stateless, 16 in flight', make: onStateless, inFlight: 16, bytes: 1 },
  { name: 'HTTP, 1 in flight', make: onHttp, inFlight: 1, bytes: 1 },
  { name: 'HTTP, 16 in flight', make: onHttp, inFlight: 16, bytes: 1 },
  { name: 'HTTP, 64 in flight', make: onHttp, inFlight: 64, bytes: 1 },
  { name: 'HTTP, stateless, 16 in flight', make: onStatelessHttp, inFlight: 16, bytes: 1 },
  { name: 'HTTP, the list of 10,000 tools', make: onHttp, inFlight: 1, bytes: 1, tools: 10_000 },
];

const { values: flags } = parseArgs({
  options: { top: { type: 'string', default: '15' }, only: { type: 'string', default: '' } },
});
for (const load of LOADS.filter(({ name }) => name.includes(flags.only))) {
  console.log(`\n${load.name}\n${await profiled(load)}`);
}

function onStdio(node) {
  return callsignOnStdio('default', 'session', node);
}
function onStateless(node) {
  return callsignOnStdio('default', 'stateless', node);
}
function onHttp(node) {
  return callsignOnHttp('default', 'session', node);
}
function onStatelessHttp(node) {
  return callsignOnHttp('default', 'stateless', node);
}

async function profiled({ make, inFlight, bytes, tools }) {
  const folder = mkdtempSync(join(tmpdir(), 'callsign-profile-'));
  try {
    const flagsOfNode = ['--cpu-prof', `--cpu-prof-dir=${folder}`, '--cpu-prof-interval=200'];
    const contestant = make(() => [...flagsOfNode, COMMAND]);
    const running = await contestant.start({ one: [`--tools=${tools ?? 10}`] });
    const args = `"text":"${'x'.repeat(bytes)}"`;
    const call = running.call({ server: 'one', tool: 'echo', args });
    const calls = [tools === undefined ? call : requestText('tools/list', '{}')];
    const load = { calls, inFlight, leastBytes: bytes };
    await drive(running.client, { ...load, ms: WARM_MS });
    const { calls: made, seconds } = await drive(running.client, { ...load, ms: MS });
    const over = performance.now();
    await running.stop();
    const afterMs = performance.now() - over;
    const [file] = readdirSync(folder);
    const profile = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    return `${Math.round(made / seconds)} calls/s\n${topOf(profile, { afterMs })}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The functions with the most self time while calls were made, without the start and the end. */
function topOf({ nodes, samples, timeDeltas }, { afterMs }) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const own = new Map();
  const end = timeDeltas.reduce((sum, delta) => sum + delta, 0) - afterMs * 1_000;
  let at = 0;
  let busy = 0;
  samples.forEach((id, i) => {
    at += timeDeltas[i];
    const frame = nameOf(byId.get(id).callFrame);
    if (at < end - MS * 1_000 || at > end || frame === '(idle)') return;
    busy += timeDeltas[i];
    own.set(frame, (own.get(frame) ?? 0) + timeDeltas[i]);
  });
  return [...own]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, Number(flags.top))
    .map(([frame, time]) => `${((100 * time) / busy).toFixed(1).padStart(5)} %  ${frame}`)
    .join('\n');
}

function nameOf({ functionName, url, lineNumber }) {
  if (url === '') return functionName || '(native)';
  const path = url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)) : url;
  return `${functionName || '(anonymous)'}  ${path}:${lineNumber + 1}`;
}
