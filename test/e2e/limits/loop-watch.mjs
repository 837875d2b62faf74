// Loaded into a gateway with `--import`: writes to a file how long the event loop was busy without
// a break, in milliseconds.
// `busy` counts processor time, which other programs on the machine do not change; `delay` is clock
// time.
import { renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
let busy = 0;
let before = process.cpuUsage();
let at = performance.now();
setInterval(() => {
  const { user, system } = process.cpuUsage(before);
  const now = performance.now();
  // Processor time includes helper threads, so clock time is the upper bound.
  busy = Math.max(busy, Math.min((user + system) / 1_000, now - at));
  before = process.cpuUsage();
  at = now;
}, 1).unref();
setInterval(() => {
  const file = process.env.CALLSIGN_LOOP_FILE;
  // Replaced in one step, because it may be read at any moment.
  writeFileSync(`${file}.new`, JSON.stringify({ busy, delay: delay.max / 1e6 }));
  renameSync(`${file}.new`, file);
}, 100).unref();
// The time before the first server is the start of the program itself.
process.on('SIGUSR2', () => {
  delay.reset();
  busy = 0;
});
