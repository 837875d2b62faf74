/** Whoever hears how calls end, and has no say in it: the record and the figures. */

import type { Call, Interceptor, Reply } from '@callsign/core';

import type { Outcome } from './audit/audit-record.js';
import { outcomeOfError, outcomeOfReply } from './audit/call-outcome.js';

export interface Observer {
  /** A call sets out. */
  begin?(call: Call): void;
  /** A call has ended, be it that it was refused. `size`: the characters of what came back. */
  end(call: Call, outcome: Outcome, ms: number, size: number): void;
}

/** One look at the clock and one wait for all of them: they watch every call. */
export function observe(observers: readonly Observer[]): Interceptor {
  return (call, next) => {
    for (const observer of observers) observer.begin?.(call);
    const watch = new Watch(call, observers);
    const reply = next();
    // On the side: the answer does not wait for those who watch.
    reply.then(watch.onReply, watch.onError);
    return reply;
  };
}

class Watch {
  readonly #call: Call;
  readonly #observers: readonly Observer[];
  readonly #started: number = performance.now();

  constructor(call: Call, observers: readonly Observer[]) {
    this.#call = call;
    this.#observers = observers;
  }

  readonly onReply = (reply: Reply): void => this.#end(outcomeOfReply(reply), reply.json.length);

  readonly onError = (error: unknown): void => this.#end(outcomeOfError(error), 0);

  #end(outcome: Outcome, size: number): void {
    const ms = performance.now() - this.#started;
    for (const observer of this.#observers) observer.end(this.#call, outcome, ms, size);
  }
}
