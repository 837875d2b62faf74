// How much is measured: everything for the page, or a quick look.

/** @typedef {ReturnType<typeof planFor>} Plan */

/** @param {boolean} quick */
export function planFor(quick) {
  return {
    /** Rounds in which every contestant has a turn, after a first one that does not count. */
    rounds: quick ? 3 : 9,
    /** Starts of contestants that differ by little, without the others, and rounds after each start. */
    aloneStarts: quick ? 0 : 3,
    aloneRounds: 8,
    /** The warm-up of a process: this number of calls, or as many as it makes in this time. */
    warmUp: quick ? { maxCalls: 20_000, ms: 400 } : { maxCalls: 20_000, ms: 2_000 },
    /** How long a turn lasts. Calls that have begun are completed. */
    turnMs: quick ? 40 : 250,
    /** Bytes of the payloads, in both directions. */
    payloads: quick ? [1, 8, 10_000] : [1, 8, 10_000, 1_000_000],
    /** Starts of each gateway, for start-up and idle memory. */
    starts: quick ? 1 : 5,
    /** Starts for the first calls after a start. */
    coldStarts: quick ? 1 : 7,
    /** Starts of the command until its first output. */
    commandRuns: quick ? 3 : 15,
    /** Counts of servers behind the gateway. */
    startChildren: quick ? [1] : [1, 10, 50],
    callChildren: quick ? [1, 5] : [1, 5, 50],
    catalogues: quick ? [10, 1_000] : [10, 1_000, 10_000],
    /** Calls before the first and the second reading of memory. */
    memoryCalls: quick ? [1_000, 5_000] : [100_000, 500_000],
    /** For the costs of modules and names, which take time to measure. */
    modules: !quick,
    names: !quick,
  };
}
