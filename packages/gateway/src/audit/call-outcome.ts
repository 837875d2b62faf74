/** How a call ended, in one word. */

import { HouseError, memberText, type Reply } from '@callsign/core';

import type { Outcome } from './audit-record.js';

const WORD = '"isError"';
const LETTER = 'E';
const PLACE: number = WORD.indexOf(LETTER);

export function outcomeOfReply({ ok, json, fault }: Reply): Outcome {
  if (!ok) return fault?.code ?? 'server-error';
  return hasWord(json) && memberText(json, 'isError') === 'true' ? 'tool-error' : 'ok';
}

export function outcomeOfError(error: unknown): Outcome {
  return error instanceof HouseError ? error.code : 'internal-error';
}

/** Letter by letter, since that is what engines find fastest: most answers hold few capital letters. */
function hasWord(json: string): boolean {
  for (let at = json.indexOf(LETTER); at !== -1; at = json.indexOf(LETTER, at + 1)) {
    if (json.startsWith(WORD, at - PLACE)) return true;
  }
  return false;
}
