// Loaded into the gateway with `--import`: writes to a file for how long its event loop was busy at a stretch, at most,
// in milliseconds. On Linux this is processor time of the main thread alone, which neither other programs nor other
// threads change; elsewhere it is time by the clock. SIGUSR2 starts again.
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
  // As a whole, since it is read at any moment.
  writeFileSync(`${file}.new`, JSON.stringify({ longest }));
  renameSync(`${file}.new`, file);
  // The time of this is not the gateway's.
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
