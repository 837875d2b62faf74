// Loaded into a gateway with `--import`: writes its longest event-loop delay, in milliseconds, to a file.
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
setInterval(() => {
  const file = process.env.CALLSIGN_LOOP_FILE;
  writeFileSync(file, JSON.stringify({ max: delay.max / 1e6, at: Date.now() }));
}, 100).unref();
// What comes before the servers is the start of the program itself.
process.on('SIGUSR2', () => delay.reset());
