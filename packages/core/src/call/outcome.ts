/** How a call ended, in one word, for records and metrics. */

import { CallsignError, type CallsignErrorCode } from './callsign-error.js';
import { memberText } from '../json/json-text.js';
import type { Reply } from './reply.js';

/**
 * `dry-run`: the call was described instead of made. `tool-error`: the tool answered with `isError`. `server-error`: its server sent an error.
 * `internal-error`: the gateway failed without a code. `unknown`: no such name. Otherwise our own
 * error code.
 */
export type Outcome =
  | 'ok'
  | 'dry-run'
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
  if (reply.isDryRun) return 'dry-run';
  if (!reply.ok) return 'server-error';
  return isToolError(reply) ? 'tool-error' : 'ok';
}

function isToolError({ json }: Reply): boolean {
  return hasWord(json) && memberText(json, 'isError') === 'true';
}

/** Whether a call failed or was refused. A dry run did what it should. */
export function isFailure(outcome: string): boolean {
  return outcome !== 'ok' && outcome !== 'dry-run';
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
