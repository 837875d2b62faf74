// Loaded into the gateway with `--import`. Writes to a file the longest time that its event loop
// was busy without a break, in milliseconds. On Linux this is processor time of the main thread,
// which other programs and threads do not change; elsewhere it is clock time. SIGUSR2 starts a new
// measurement.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

const file = process.env.CALLSIGN_LOOP_FILE;
const path = `/proc/self/task/${process.pid}/schedstat`;
let longest = 0;
let before = now();
setInterval(() => {
  const at = now();
  longest = Math.max(longest, at - before);
  before = at;
}, 1).unref();
setInterval(() => {
  // Replaced in one step, because it may be read at any moment.
  writeFileSync(`${file}.new`, JSON.stringify({ longest }));
  renameSync(`${file}.new`, file);
  // The time that this code takes does not count.
  before = now();
}, 100).unref();
process.on('SIGUSR2', () => {
  longest = 0;
  before = now();
});

function now() {
  try {
    return Number(readFileSync(path, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}
