// Calls before a measurement, so that compiled code is measured.
import { drive } from './drive.mjs';

/**
 * A failure is ignored here: it occurs again in a round, which reports it.
 * @param {import('../lineup/contestant.mjs').Running} running
 * @param {string} tool
 * @param {import('../plan.mjs').Plan} plan
 */
export async function warmUp({ client, call }, tool, plan) {
  const calls = [call({ server: 'one', tool, args: '"text":"x"' })];
  const load = { ...plan.warmUp, calls, inFlight: 16, leastBytes: 1 };
  await drive(client, load).catch(() => undefined);
}
