/** Observers of calls, such as metrics and the journal. They cannot change a call. */

import type { Call } from '../call/call.js';
import type { Interceptor } from './interceptor.js';
import { outcomeOfError, outcomeOfReply, type Outcome } from '../call/outcome.js';
import type { Reply } from '../call/reply.js';

/** Its methods must not throw and must return quickly: they run on the path of the call. */
export interface Observer {
  /** A call begins. */
  begin?(call: Call): void;
  /** A call has ended. Refused calls end too. */
  end(ended: EndedCall): void;
  /** A task has ended. The call that started it ended before. */
  taskEnded?(ended: EndedCall): void;
  /** A call named an unknown item. */
  unknown?(call: Call): void;
}

/** A call and how it ended. */
export interface EndedCall {
  readonly call: Call;
  readonly outcome: Outcome;
  /** Milliseconds on the clock of `performance.now()`. */
  readonly startedAt: number;
  /** Milliseconds from start to end. */
  readonly ms: number;
  /** How many of them the call waited for a person. */
  readonly waitedMs: number;
  /** Characters of the reply. */
  readonly size: number;
}

/**
 * The interceptor that notifies observers. Observers watch every call, so it reads the clock once
 * and waits once for all of them. `now` is `performance.now`.
 */
export function observe(observers: readonly Observer[], now: () => number): Interceptor {
  return function observed(call, next) {
    for (const observer of observers) observer.begin?.(call);
    const watch = new Watch(call, observers, now);
    const reply = next();
    // Not awaited: the reply does not wait for observers.
    reply.then(watch.onReply, watch.onError);
    return reply;
  };
}

/** Notifies the observers of one call when it ends. */
class Watch {
  readonly #call: Call;
  readonly #observers: readonly Observer[];
  readonly #now: () => number;
  readonly #startedAt: number;

  constructor(call: Call, observers: readonly Observer[], now: () => number) {
    this.#call = call;
    this.#observers = observers;
    this.#now = now;
    this.#startedAt = now();
  }

  readonly onReply = (reply: Reply): void => this.#end(outcomeOfReply(reply), reply.json.length);

  readonly onError = (error: unknown): void => this.#end(outcomeOfError(error), 0);

  #end(outcome: Outcome, size: number): void {
    const [call, startedAt] = [this.#call, this.#startedAt];
    const now = this.#now();
    const waitedMs = call.context.waitedMs(now);
    const ended = { call, outcome, startedAt, ms: now - startedAt, waitedMs, size };
    for (const observer of this.#observers) observer.end(ended);
  }
}
