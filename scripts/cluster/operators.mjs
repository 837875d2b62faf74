// Two operators who decide every waiting call at the same moment, each in another way, at two different instances.
import { setTimeout as sleep } from 'node:timers/promises';

/** The decision counts, or it never will. Everything else is not known, and is asked again. */
const CLEAR = new Set([200, 404, 409]);
const TRIES = 30;

export class Operators {
  /** The decision of each call, by its `n`, as an operator was told. */
  decided = new Map();
  /** The calls that an operator tried to approve, by `n`. An instance that is killed may not say that it counted. */
  tried = new Set();
  /** Calls of which both operators were told that their decision counts, which must not happen. */
  twice = [];
  #admins;
  #count = 0;
  #turn = 0;

  /** `admins`: returns the admin APIs of the instances that run now. */
  constructor(admins) {
    this.#admins = admins;
  }

  async run(signal) {
    const seen = new Set();
    const deciding = [];
    while (!signal.aborted) {
      const admin = await this.#next();
      const waiting = (await admin?.get('/approvals').catch(() => [])) ?? [];
      for (const { id, arguments: text } of waiting) {
        if (seen.has(id)) continue;
        seen.add(id);
        deciding.push(this.#decide(id, /[a-z]+-\d+-\d+/.exec(text)?.[0]));
      }
      await sleep(100);
    }
    await Promise.all(deciding);
  }

  async #decide(id, n) {
    this.tried.add(n);
    // The first one is a little faster, so most calls are approved.
    const isApproved = this.#count++ % 4 !== 0;
    const told = await Promise.all([
      this.#decideUntilClear(id, isApproved, 0),
      this.#decideUntilClear(id, !isApproved, 20),
    ]);
    if (told.every(Boolean)) this.twice.push(id);
    if (told.some(Boolean) && n) this.decided.set(n, told[0] ? isApproved : !isApproved);
  }

  /** Whether the operator was told that the decision counts. */
  async #decideUntilClear(id, approve, delay) {
    await sleep(delay);
    for (let tries = 0; tries < TRIES; tries++) {
      const admin = await this.#next();
      const status = await statusOf(admin, id, approve);
      if (CLEAR.has(status)) return status === 200;
      await sleep(500);
    }
    return false;
  }

  /** Another instance each time. */
  async #next() {
    const all = await this.#admins();
    return all[this.#turn++ % all.length];
  }
}

async function statusOf(admin, id, approve) {
  try {
    await admin?.post(`/approvals/${id}`, { approve });
    return admin ? 200 : 503;
  } catch (error) {
    return error.status ?? 503;
  }
}
