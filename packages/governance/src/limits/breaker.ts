/**
 * Stops calls to a server that keeps failing, and tries it again with a single call at intervals.
 */

import type { Clock } from '@callsign/core';
import { CallsignError, type CallsignErrorCode } from '@callsign/core';
import type { Interceptor } from '@callsign/core';

export interface BreakerOptions {
  readonly clock: Clock;
  /** Failures in a row after which calls stop. */
  readonly failures: () => number;
  /** How long calls stop before the next trial. */
  readonly restMs: () => number;
}

/** What is known about one server. */
interface Health {
  failures: number;
  /** When the next trial call is allowed. */
  restsUntil: number;
  /** Whether a trial call is running. Other calls are refused until it has ended. */
  isTried: boolean;
}

/** Only a missing answer counts. A server that answers with an error is alive. */
const FAILURES: ReadonlySet<CallsignErrorCode> = new Set([
  'upstream-closed',
  'upstream-unavailable',
  'upstream-timeout',
]);

export function breaker({ clock, failures, restMs }: BreakerOptions): Interceptor {
  const servers = new Map<string, Health>();
  return async (call, next) => {
    const { server } = call.target!.ref;
    const health = servers.get(server) ?? { failures: 0, restsUntil: 0, isTried: false };
    servers.set(server, health);
    const isResting = health.failures >= failures();
    const left = health.restsUntil - clock.now();
    if (isResting && (left > 0 || health.isTried)) {
      const seconds = Math.max(1, Math.ceil(left / 1_000));
      throw new CallsignError('server-resting', { server, failures: health.failures, seconds });
    }
    health.isTried = isResting;
    let fault: unknown;
    try {
      const reply = await next();
      fault = reply.fault;
      return reply;
    } catch (error) {
      fault = error;
      throw error;
    } finally {
      health.isTried = false;
      if (!(fault instanceof CallsignError && FAILURES.has(fault.code))) health.failures = 0;
      else if (++health.failures >= failures()) health.restsUntil = clock.now() + restMs();
    }
  };
}
