// A closed loop: a fixed number of calls in flight for a fixed time. Each answer starts the next
// call.
import { nextId } from './client.mjs';

/** The number of latencies that are kept in one run. */
const MAX_SAMPLES = 200_000;
/** A contestant that stops answering must not stop the bench. */
const STUCK_MS = 10_000;

/** @typedef {{ calls: number, seconds: number, latencies: Float64Array }} Run latencies in milliseconds, in order of size */

/**
 * @param {import('./client.mjs').Client} client
 * @param {object} load
 * @param {{ head: string, tail: string }[]} load.calls taken in turn
 * @param {number} load.inFlight
 * @param {number} load.ms after this time no further call is made
 * @param {number} [load.maxCalls]
 * @param {number} load.leastBytes a shorter answer is not the one that was asked for
 * @returns {Promise<Run>}
 */
export function drive(client, { calls, inFlight, ms, maxCalls = Infinity, leastBytes }) {
  return new Promise((resolve, reject) => {
    const samples = new Float64Array(Math.min(maxCalls, MAX_SAMPLES));
    let made = 0;
    let answered = 0;
    let isOver = false;
    const start = performance.now();
    const watchdog = setTimeout(
      () =>
        finish(new Error(`No answer for ${STUCK_MS} ms: ${answered} of ${made} calls came back.`)),
      ms === Infinity ? 10 * STUCK_MS : ms + STUCK_MS,
    );
    const finish = (error) => {
      isOver = true;
      clearTimeout(watchdog);
      if (error) return reject(error);
      const seconds = (performance.now() - start) / 1000;
      const latencies = samples.subarray(0, Math.min(answered, samples.length)).toSorted();
      resolve({ calls: answered, seconds, latencies });
    };
    const next = () => {
      const id = nextId();
      const { head, tail } = calls[made % calls.length];
      made++;
      const sent = performance.now();
      client.send(`${head}${id}${tail}`, id, (answer) => {
        if (isOver) return;
        if (answer.length < leastBytes || !answer.includes('"result"')) {
          return finish(new Error(`Wrong answer: ${answer.subarray(0, 300)}`));
        }
        const now = performance.now();
        if (answered < samples.length) samples[answered] = now - sent;
        answered++;
        if (now - start < ms && made < maxCalls) next();
        else if (answered === made) finish();
      });
    };
    for (let i = 0; i < Math.min(inFlight, maxCalls); i++) next();
  });
}
