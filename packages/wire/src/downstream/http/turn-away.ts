/** The answer to a request whose credential is missing or invalid. */

import type { IncomingMessage } from 'node:http';

import type { Answer } from './answer.js';
import type { Refused } from './authenticate.js';
import { refuse } from './refuse.js';

/** How long a refused client may continue to send. */
const LINGER_MS = 1_000;

/** Asks for a credential, or for another one. Ignores the body, if `request` may still send it. */
export function turnAway(
  { status, challenge, message }: Refused,
  answer: Answer,
  request?: IncomingMessage,
): void {
  request?.resume();
  // Some clients read only after they have sent everything. A client that sends longer is cut off.
  if (request) setTimeout(() => request.complete || request.destroy(), LINGER_MS).unref();
  refuse(answer.with({ 'www-authenticate': challenge }), status, message);
}
