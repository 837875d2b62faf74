// Kills the gateway fifty times, each time during two thousand calls, and checks its records.
// Usage: kill-records.mjs [ROUNDS [CALLS]]
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const [rounds = '50', calls = '2000'] = process.argv.slice(2);
const root = fileURLToPath(new URL('..', import.meta.url));
const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const { status } = spawnSync(process.execPath, [vitest, 'run', 'test/e2e/governed/kill.test.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, CALLSIGN_KILL_ROUNDS: rounds, CALLSIGN_KILL_CALLS: calls },
});
process.exitCode = status ?? 1;
