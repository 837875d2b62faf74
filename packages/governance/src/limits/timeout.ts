/**
 * Limits the duration of a call. Progress starts the limit again, and it pauses while the client is
 * asked.
 */

import type { Call, CallTimer, Target } from '@callsign/core';
import type { Clock } from '@callsign/core';
import { CallsignError } from '@callsign/core';
import type { Interceptor } from '@callsign/core';
import type { Reply } from '@callsign/core';

export interface TimeoutOptions {
  readonly clock: Clock;
  readonly limitMs: (target: Target) => number;
}

/** One timer for all calls with the same limit: a timer per call would cost more than the call. */
export function timeout({ clock, limitMs }: TimeoutOptions): Interceptor {
  const lines = new Map<number, Line>();
  const lineOf = (ms: number): Line => {
    const line = lines.get(ms) ?? new Line(clock, ms);
    lines.set(ms, line);
    return line;
  };
  return (call, next) => {
    const line = lineOf(limitMs(call.target!));
    return new Promise((resolve, reject) => {
      const wait = new Wait(call, line, resolve, reject);
      call.context.timer = wait;
      line.join(wait);
      next().then(wait.answer, wait.fail);
    });
  };
}

/** One call that waits for its reply. */
class Wait implements CallTimer {
  /** When it expires, on the clock. */
  due = 0;
  /** Its neighbours in the line. */
  before: Wait | undefined;
  after: Wait | undefined;
  readonly #call: Call;
  readonly #line: Line;
  readonly #resolve: (reply: Reply) => void;
  readonly #reject: (error: unknown) => void;
  /** How many questions are open at the client. The limit runs only at 0. */
  #pauses = 0;
  #isOver = false;

  constructor(
    call: Call,
    line: Line,
    resolve: (reply: Reply) => void,
    reject: (error: unknown) => void,
  ) {
    this.#call = call;
    this.#line = line;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  readonly answer = (reply: Reply): void => {
    this.#end();
    this.#resolve(reply);
  };

  readonly fail = (error: unknown): void => {
    this.#end();
    this.#reject(error);
  };

  restart(): void {
    if (this.#isOver || this.#pauses > 0) return;
    this.#line.leave(this);
    this.#line.join(this);
  }

  pause(): void {
    if (this.#pauses++ === 0) this.#line.leave(this);
  }

  resume(): void {
    if (--this.#pauses === 0 && !this.#isOver) this.#line.join(this);
  }

  #end(): void {
    this.#isOver = true;
    this.#line.leave(this);
  }

  expire(): void {
    this.#end();
    const { server } = this.#call.target!.ref;
    this.#reject(new CallsignError('upstream-timeout', { server, seconds: this.#line.ms / 1000 }));
    // The caller gets the error, so the call is not cancelled. Only the server is told to stop.
    this.#call.context.stop('It took too long.');
  }
}

/**
 * Calls with the same limit expire in the order in which they joined, so one timer is enough. A
 * linked list: a call can leave from any place at no cost.
 */
class Line {
  readonly ms: number;
  readonly #clock: Clock;
  #first: Wait | undefined;
  #last: Wait | undefined;
  #isArmed = false;

  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.ms = ms;
  }

  join(wait: Wait): void {
    wait.due = this.#clock.now() + this.ms;
    wait.before = this.#last;
    if (this.#last) this.#last.after = wait;
    else this.#first = wait;
    this.#last = wait;
    if (!this.#isArmed) this.#arm(this.ms);
  }

  /** Does nothing if the call has already left. */
  leave(wait: Wait): void {
    const { before, after } = wait;
    if (before) before.after = after;
    else if (this.#first === wait) this.#first = after;
    if (after) after.before = before;
    else if (this.#last === wait) this.#last = before;
    wait.before = wait.after = undefined;
  }

  #arm(ms: number): void {
    this.#isArmed = true;
    this.#clock.after(ms, () => this.#sweep());
  }

  #sweep(): void {
    this.#isArmed = false;
    const now = this.#clock.now();
    while (this.#first) {
      if (this.#first.due > now) return this.#arm(this.#first.due - now);
      this.#first.expire();
    }
  }
}
