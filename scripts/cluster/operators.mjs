// Two operators who decide every waiting call at the same moment, directly in the database.
import { setTimeout as sleep } from 'node:timers/promises';

export class Operators {
  /** The decision of each call, by its `n`. */
  decided = new Map();
  /** Calls whose decision succeeded for both operators, which must not happen. */
  twice = [];
  #boards;

  constructor(boards) {
    this.#boards = boards;
  }

  async run(signal) {
    let count = 0;
    while (!signal.aborted) {
      const waiting = await this.#boards[0].list().catch(() => []);
      for (const { id, arguments: text } of waiting) {
        const isApproved = count++ % 4 !== 0;
        const decision = isApproved ? { approve: true, scope: 'once' } : { approve: false };
        const won = await Promise.all(
          this.#boards.map((board) => board.decide(id, decision).catch(() => false)),
        );
        if (won.every(Boolean)) this.twice.push(id);
        const n = /[a-z]+-\d+-\d+/.exec(text)?.[0];
        if (won.some(Boolean) && n) this.decided.set(n, isApproved);
      }
      await sleep(100);
    }
  }
}
