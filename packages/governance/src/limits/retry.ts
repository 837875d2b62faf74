/** Retries a call that was lost on the way, if sending it twice does no harm. */

import {
  type Call,
  type CallsignError,
  type Clock,
  type Interceptor,
  type Next,
  type Reply,
  type Target,
  withMeta,
} from '@callsign/core';
import { mayRetry } from '@callsign/effects';

export interface RetryOptions {
  readonly clock: Clock;
  /** The most retries of one call. */
  readonly attempts: number;
  /** The wait before the first retry. Each further wait is twice as long, up to `maxMs`. */
  readonly firstMs: number;
  readonly maxMs: number;
  /** Resolves when the server can be called again: true, or false if it will not come back. */
  readonly whenBack: (target: Pick<Target, 'account' | 'ref'>) => Promise<boolean>;
  /** From 0 to 1. Spreads the retries of calls that failed together. */
  readonly random: () => number;
}

/**
 * HTTP statuses of proxies that could not reach the server, and of servers that ask for a pause.
 */
const TRANSIENT: ReadonlySet<unknown> = new Set([429, 502, 503, 504]);

/**
 * All attempts share one time limit: that of the timeout interceptor, which is outside of this one.
 */
export function retry(options: RetryOptions): Interceptor {
  return (call, next) => {
    if (!mayRetry(call.target!.hints)) return next();
    return next().then((reply) => (reply.fault ? sendAgain(call, next, reply, options) : reply));
  };
}

async function sendAgain(
  call: Call,
  next: Next,
  first: Reply,
  options: RetryOptions,
): Promise<Reply> {
  let reply = first;
  while (call.context.retries < options.attempts && isLost(reply.fault)) {
    const ms = waitFor(reply.fault, call.context.retries, options);
    const isBack = later(options.clock, ms).then(() => options.whenBack(call.target!));
    if (!(await unlessGivenUp(call, isBack))) break;
    await call.context.recheck?.();
    // The modules may have taken their time.
    if (call.context.isStopped) break;
    call.context.retries++;
    reply = await next();
  }
  // `withMeta` leaves errors unchanged.
  return withMeta(reply, 'callsign/retries', call.context.retries);
}

/** Whether the call was lost on the way. An error of the server itself is an answer. */
function isLost(fault: CallsignError | undefined): fault is CallsignError {
  if (fault?.code !== 'upstream-closed' && fault?.code !== 'upstream-unavailable') return false;
  const { status } = fault.details;
  return status === undefined || TRANSIENT.has(status);
}

/** Milliseconds: what the server asks for, or else twice the last wait, plus or minus half. */
function waitFor({ details }: CallsignError, retries: number, options: RetryOptions): number {
  const { firstMs, maxMs, random } = options;
  const asked = details['retryAfterMs'];
  if (typeof asked === 'number') return asked;
  return Math.min(maxMs, firstMs * 2 ** retries) * (0.5 + random());
}

function later(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}

/** False if the call is cancelled or its time runs out in the meantime. */
function unlessGivenUp(call: Call, isReady: Promise<boolean>): Promise<boolean> {
  if (call.context.isStopped) return Promise.resolve(false);
  return new Promise((resolve) => {
    call.context.onCancel(() => resolve(false));
    void isReady.then(resolve);
  });
}
