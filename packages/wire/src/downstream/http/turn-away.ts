/** The answer to a request whose credential is missing or invalid. */

import type { IncomingMessage } from 'node:http';

import type { Answer } from './answer.js';
import type { Refused } from './authenticate.js';
import { refuse } from './session-leg.js';

/** How long a refused client may go on sending. */
const LINGER_MS = 1_000;

/** Asks for a credential, or another one. Ignores the body. */
export function turnAway(
  { status, challenge, message }: Refused,
  request: IncomingMessage,
  answer: Answer,
): void {
  request.resume();
  // Some clients read only after they have sent everything. Those with more to send are disconnected.
  setTimeout(() => request.complete || request.destroy(), LINGER_MS).unref();
  refuse(answer.with({ 'www-authenticate': challenge }), status, -32000, message);
}
