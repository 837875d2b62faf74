/** Errors that answer a whole HTTP request, not one message in it. */

import { errorJson } from '../../rpc/message/rpc-error.js';
import { errorText } from '../../rpc/message/rpc-text.js';
import type { Answer } from './answer.js';

/** The number of errors for which JSON-RPC has none. The HTTP status says more. */
const BAD_REQUEST = -32000;
/** What the official SDKs answer, and clients look for. */
const SESSION_NOT_FOUND = -32001;

/** `code`: the JSON-RPC number, if there is one for this error. */
export function refuse(
  answer: Answer,
  status: number,
  message: string,
  code: number = BAD_REQUEST,
): void {
  answer.json(status, errorText(undefined, errorJson(code, message)));
}

export function sessionNotFound(answer: Answer): void {
  refuse(answer, 404, 'Session not found', SESSION_NOT_FOUND);
}
