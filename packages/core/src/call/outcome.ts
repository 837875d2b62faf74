/** How a call ended, in one word, for records and metrics. */

import { CallsignError, type CallsignErrorCode } from './callsign-error.js';
import { memberText } from '../json/json-text.js';
import { longResultOf } from './long-reply.js';
import type { Reply } from './reply.js';

/**
 * `tool-error`: the tool answered with `isError`. `server-error`: its server sent an error.
 * `internal-error`: the gateway failed without a code. `unknown`: no such name. Otherwise our own
 * error code.
 */
export type Outcome =
  | 'ok'
  | 'tool-error'
  | 'server-error'
  | 'internal-error'
  | 'unknown'
  | CallsignErrorCode;

const WORD = '"isError"';
const LETTER = 'E';
const PLACE: number = WORD.indexOf(LETTER);

/** The outcome of a call that got a reply. */
export function outcomeOfReply(reply: Reply): Outcome {
  if (reply.fault) return reply.fault.code;
  if (!reply.ok) return 'server-error';
  return isToolError(reply) ? 'tool-error' : 'ok';
}

function isToolError(reply: Reply): boolean {
  const long = longResultOf(reply);
  if (long) return long.isError;
  return hasWord(reply.json) && memberText(reply.json, 'isError') === 'true';
}

/** The outcome of a call that was rejected. */
export function outcomeOfError(error: unknown): Outcome {
  return error instanceof CallsignError ? error.code : 'internal-error';
}

/**
 * Whether the text may have the member. Searches for one capital letter first: engines find it
 * fastest, and most replies have few.
 */
function hasWord(json: string): boolean {
  for (let at = json.indexOf(LETTER); at !== -1; at = json.indexOf(LETTER, at + 1)) {
    if (json.startsWith(WORD, at - PLACE)) return true;
  }
  return false;
}
