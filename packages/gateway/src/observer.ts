/** Whoever hears how calls end, and has no say in it: the record and the figures. */

import type { Call, Interceptor, Reply } from '@callsign/core';

import type { Outcome } from './audit/audit-record.js';
import { outcomeOfError, outcomeOfReply } from './audit/call-outcome.js';

export interface Observer {
  /** A call sets out. */
  begin?(call: Call): void;
  /** A call has ended, be it that it was refused. */
  end(ended: EndedCall): void;
}

export interface EndedCall {
  readonly call: Call;
  readonly outcome: Outcome;
  /** By the clock of `performance.now()`, and how long it took. */
  readonly startedAt: number;
  readonly ms: number;
  /** The characters of what came back. */
  readonly size: number;
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
  readonly #startedAt: number = performance.now();

  constructor(call: Call, observers: readonly Observer[]) {
    this.#call = call;
    this.#observers = observers;
  }

  readonly onReply = (reply: Reply): void => this.#end(outcomeOfReply(reply), reply.json.length);

  readonly onError = (error: unknown): void => this.#end(outcomeOfError(error), 0);

  #end(outcome: Outcome, size: number): void {
    const [call, startedAt] = [this.#call, this.#startedAt];
    const ended = { call, outcome, startedAt, ms: performance.now() - startedAt, size };
    for (const observer of this.#observers) observer.end(ended);
  }
}
