// Interleaved rounds: every contestant has a turn in each round, and each round starts with another
// one.

/**
 * @typedef {object} Turn
 * @property {string} name for the sentence about what could not be measured
 * @property {(counts: boolean) => Promise<void>} run `counts` is false in the first round, which warms up
 */

/**
 * A contestant that fails has no more turns. The others continue.
 * @param {Turn[]} turns
 * @param {{ rounds: number, results: import('./results.mjs').Results, say: (text: string) => void }} context
 */
export async function inRounds(turns, { rounds, results, say }) {
  const out = new Set();
  for (let round = 0; round <= rounds; round++) {
    say(round === 0 ? 'warming up' : `round ${round} of ${rounds}`);
    for (let i = 0; i < turns.length; i++) {
      const turn = turns[(i + round) % turns.length];
      if (out.has(turn)) continue;
      try {
        await turn.run(round > 0);
      } catch (error) {
        out.add(turn);
        results.note(`${turn.name} dropped out: ${error.message}`);
      }
    }
  }
}

/** Starts contestants one after the other. Those that do not start are left out. */
export async function startAll(contestants, servers, { results, say }) {
  const running = [];
  for (const contestant of contestants) {
    say(`starting ${contestant.label}`);
    try {
      running.push({ contestant, running: await contestant.start(servers) });
    } catch (error) {
      results.note(`${contestant.label} (${contestant.listener}) did not start: ${error.message}`);
    }
  }
  return running;
}

export async function stopAll(started) {
  await Promise.all(started.map(({ running }) => running.stop()));
}
