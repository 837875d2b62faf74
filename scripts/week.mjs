// `npm run week`: what a week brings to the clients of one person and the gateway that they share, in a short time.
// Clients come, go, crash, hang and call; the gateway, its servers, its socket and its configuration are disturbed. Every
// answer is checked. Linux only, because it finds processes in /proc.
//   --minutes N   how long (1)
//   --seed N      the order of events (random)
//   --verbose     prints each event
import { parseArgs } from 'node:util';

import { Walk } from './week/walk.mjs';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e6)) },
    verbose: { type: 'boolean', default: false },
  },
});
const startedAt = Date.now();
const say = (what) => {
  if (!values.verbose && !what.startsWith('PROBLEM')) return;
  console.log(`${((Date.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s  ${what}`);
};
console.log(`Seed ${values.seed}, ${values.minutes} min`);
const walk = new Walk(randomFrom(Number(values.seed)), say);
try {
  await walk.run(Number(values.minutes) * 60_000);
} finally {
  if (walk.problems.length > 0) console.log(walk.person.log().split('\n').slice(-40).join('\n'));
  await walk.close();
}
for (const [what, count] of Object.entries(walk.counts))
  console.log(`${String(count).padStart(6)}  ${what}`);
console.log(walk.problems.length === 0 ? 'All in order.' : `${walk.problems.length} problems.`);
process.exit(walk.problems.length === 0 ? 0 : 1);

/** The same numbers for the same seed (mulberry32). */
function randomFrom(seed) {
  let state = seed;
  const below = (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  return { below, of: (list) => list[below(list.length)] };
}
