/** The failure for a server that did not start, with an exit code and advice. */

import { TOOLS_FAILED } from '@callsign/gateway/host';

import { EXIT } from '../command/exit-code.js';
import { Failure } from '../command/failure.js';

/** Reasons of servers that need credentials. */
const WANTS_SIGN_IN = /\bHTTP 401\b|\bcallsign login\b/;

/** Whether a server failed because it needs credentials. */
export function isSignInWanted(failure: string): boolean {
  return WANTS_SIGN_IN.test(failure);
}

/** How a server failed, as the end of a sentence. A server may start and still fail to list its tools. */
export function howItFailed(failure: string): string {
  return failure.startsWith(TOOLS_FAILED) ? `started, but ${failure}` : `did not start: ${failure}`;
}

/** What to do about a server that did not start. `isGivenUp`: a running gateway does not start it any more. */
export function adviceFor(isGivenUp = false): string[] {
  return ['To find out why: callsign doctor', ...(isGivenUp ? [START_AGAIN] : [])];
}

const START_AGAIN = 'To start it again: callsign reload';

/** What is wrong with a configured server that did not start, and what to do. `reason`: what the gateway says about it. */
export function startTrouble(
  key: string,
  reason: string,
  isGivenUp = false,
): readonly [sentence: string, ...advice: string[]] {
  if (isSignInWanted(reason)) {
    const advice = `Sign in: callsign login ${key}, or put a token into its "headers".`;
    return [`Server "${key}" needs credentials.`, advice];
  }
  return [`Server "${key}" ${howItFailed(reason)}.`, ...adviceFor(isGivenUp)];
}

/** The failure for a configured server. */
export function notStarted(key: string, reason: string, isGivenUp = false): Failure {
  const trouble = startTrouble(key, reason, isGivenUp);
  return isSignInWanted(reason) ? needsCredentials(trouble.join(' ')) : unreachable(...trouble);
}

/** The failure for a server whose entry has a problem. Loading the configuration has warned of it. */
export function badEntry(key: string): Failure {
  const sentence = `Server "${key}" cannot be started, because its entry has a problem.`;
  return unreachable(sentence, 'To see the problem: callsign validate');
}

/** The failure for a server of the command line, which `doctor` and `login` do not know. */
export function adhocNotStarted(reason: string): Failure {
  if (isSignInWanted(reason)) {
    const advice =
      'Add it to a configuration and sign in: callsign add NAME URL, callsign login NAME';
    return needsCredentials(`The server needs credentials. ${advice}`);
  }
  return unreachable(`The server ${howItFailed(reason)}.`, 'To see what it prints: --verbose');
}

function needsCredentials(message: string): Failure {
  return new Failure({ exit: EXIT.authentication, code: 'authentication', message });
}

function unreachable(sentence: string, ...advice: readonly string[]): Failure {
  const message = [sentence, ...advice].join('\n');
  return new Failure({ exit: EXIT.unreachable, code: 'unreachable', message });
}
