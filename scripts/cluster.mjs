// `npm run cluster`: three real instances on a real PostgreSQL behind haproxy, one of them killed every ten seconds.
//   --seconds N      how long clients call (120)
//   --kill-every N   seconds between two kills (10)
//   --balancer NAME  haproxy, nginx or own (haproxy)
//   --signal NAME    SIGKILL, as a power failure, or SIGTERM, which drains (SIGKILL)
//   --target NAME    turns, or owner: the instance that runs the server (turns)
//   --outage N       seconds without a database in the middle (30)
//   --hang N         seconds in the middle in which the database does not answer (20)
//   --freeze N       seconds in which the instance that runs the server is suspended (10)
//   --forge N        seconds with a program in the directory that does not know the secrets (10)
//   --mode NAME      best-effort or strict records (best-effort)
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { hasProgram } from './cluster/balancer.mjs';
import { runCluster } from './cluster/run.mjs';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    'kill-every': { type: 'string', default: '10' },
    balancer: { type: 'string', default: 'haproxy' },
    signal: { type: 'string', default: 'SIGKILL' },
    target: { type: 'string', default: 'turns' },
    outage: { type: 'string', default: '30' },
    hang: { type: 'string', default: '20' },
    freeze: { type: 'string', default: '10' },
    forge: { type: 'string', default: '10' },
    mode: { type: 'string', default: 'best-effort' },
  },
});
if (values.balancer !== 'own' && !hasProgram(values.balancer)) {
  const advice = `On Debian: apt-get install ${values.balancer}. Without it: --balancer own`;
  console.error(`${values.balancer} is missing. ${advice}`);
  process.exit(1);
}
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const report = await runCluster({
  command: join(root, 'packages', 'cli', 'bin', 'callsign.cjs'),
  seconds: Number(values.seconds),
  killEvery: Number(values['kill-every']),
  balancer: values.balancer,
  signal: values.signal,
  target: values.target,
  outage: Number(values.outage),
  hang: Number(values.hang),
  freeze: Number(values.freeze),
  forge: Number(values.forge),
  mode: values.mode,
  say: (text) => console.log(text),
});
const counts = new Map();
for (const { era, is } of report.calls) {
  const kind = `${era} ${is}`;
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
}
console.log(
  `${report.calls.length} calls, ${report.ends} ends of instances, ${report.decided} approvals decided`,
);
console.log(
  `answered by the instances: ${report.answered.join(', ')}; forwarded: ${report.forwarded}`,
);
console.log(`ends of instances took ${report.took.join(', ')} ms`);
console.log(`${report.lostSessions} times a client had to start a new session`);
for (const [kind, count] of counts) console.log(`  ${kind}: ${count}`);
for (const { n, is, reason } of report.calls
  .filter((call) => /failed|broken/.test(call.is))
  .slice(0, 20)) {
  console.log(`  ${n} ${is}: ${reason}`);
}
for (const { what, from, to } of report.troubles) {
  const during = report.calls.filter(({ start, end }) => start <= to && end >= from);
  const without = during.filter((call) => /failed|broken/.test(call.is)).length;
  console.log(
    `${what} for ${to - from} ms: ${during.length} calls, ${without} of them without a result`,
  );
}
for (const flaw of report.flaws.slice(0, 50)) console.log(`WRONG: ${flaw}`);
console.log(report.flaws.length === 0 ? 'Every check passed.' : `${report.flaws.length} flaws.`);
process.exit(report.flaws.length === 0 ? 0 : 1);
