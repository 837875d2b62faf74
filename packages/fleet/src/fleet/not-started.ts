/** A server that did not start, as a failure with the exit code that says why. */

import { TOOLS_FAILED } from '@callsign/gateway';

import { EXIT } from '@callsign/command/exit-code';
import { Failure } from '@callsign/command';

/** The server needs credentials. */
const WANTS_SIGN_IN = /\bHTTP 401\b|\bcallsign login\b/;

/** A server may start and still not say what it offers. */
export function howItFailed(failure: string): string {
  return failure.startsWith(TOOLS_FAILED) ? `started, but ${failure}` : `did not start: ${failure}`;
}

export function notStarted(key: string, reason: string): Failure {
  if (WANTS_SIGN_IN.test(reason)) {
    const advice = `Sign in: callsign login ${key}, or put a token into its "headers".`;
    const message = `Server "${key}" needs credentials. ${advice}`;
    return new Failure({ exit: EXIT.authentication, code: 'authentication', message });
  }
  const advice = 'To find out why: callsign doctor';
  const message = `Server "${key}" ${howItFailed(reason)}.\n${advice}`;
  return new Failure({ exit: EXIT.unreachable, code: 'unreachable', message });
}
