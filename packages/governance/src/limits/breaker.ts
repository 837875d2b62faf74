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

/** Only a missing answer counts as a failure. */
const FAILURES: ReadonlySet<CallsignErrorCode> = new Set([
  'upstream-closed',
  'upstream-unavailable',
  'upstream-timeout',
]);
/** The server answered, though its answer could not be passed on. */
const ANSWERS: ReadonlySet<CallsignErrorCode> = new Set(['answer-unreadable', 'result-too-large']);

export function breaker({ clock, failures, restMs }: BreakerOptions): Interceptor {
  /** By server and account: what one person's account does shows nothing about the others. */
  const servers = new Map<string, Health>();
  return async (call, next) => {
    const { account, ref } = call.target!;
    const { server } = ref;
    const key = account === undefined ? server : JSON.stringify([server, account]);
    const health = servers.get(key) ?? { failures: 0, restsUntil: 0, isTried: false };
    servers.set(key, health);
    const isResting = health.failures >= failures();
    const left = health.restsUntil - clock.now();
    if (isResting && (left > 0 || health.isTried)) {
      const seconds = Math.max(1, Math.ceil(left / 1_000));
      throw new CallsignError('server-resting', { server, failures: health.failures, seconds });
    }
    if (isResting) health.isTried = true;
    let fault: unknown;
    try {
      const reply = await next();
      fault = reply.fault;
      return reply;
    } catch (error) {
      fault = error;
      throw error;
    } finally {
      if (isResting) health.isTried = false;
      const shown = shows(fault);
      if (shown === 'alive') health.failures = 0;
      else if (shown === 'failure' && ++health.failures >= failures())
        health.restsUntil = clock.now() + restMs();
    }
  };
}

/**
 * What the end of a call shows about its server. Our own refusals and cancelled calls show nothing:
 * if the trial ends so, the next call is the trial.
 */
function shows(fault: unknown): 'alive' | 'failure' | 'nothing' {
  // An error of the server itself is an answer.
  if (fault === undefined) return 'alive';
  if (!(fault instanceof CallsignError)) return 'nothing';
  if (ANSWERS.has(fault.code)) return 'alive';
  return FAILURES.has(fault.code) ? 'failure' : 'nothing';
}
