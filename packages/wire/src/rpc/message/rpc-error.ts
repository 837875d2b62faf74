/** The only place where our failures become JSON-RPC numbers. */

import { CallsignError, memberOf, membersOf, resultOf } from '@callsign/core';
import type { Call, CallsignErrorCode, Reply } from '@callsign/core';
import type { NameError } from '@callsign/naming';

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
/** For a server that failed. In the range that JSON-RPC reserves for servers. */
export const UPSTREAM_ERROR = -32000;
/** For a call that the gateway refused. */
const REFUSED = -32010;
/** MCP 2026-07-28: a header differs from the body that it repeats. */
export const HEADER_MISMATCH = -32020;
/** MCP 2026-07-28: the request needs a capability that the client did not declare. */
export const MISSING_CAPABILITY = -32021;
/** MCP 2026-07-28: the data of the error lists the versions that we accept. */
export const UNSUPPORTED_VERSION = -32022;

/** docs/errors.md repeats this table; a test compares them. */
const NUMBERS: Readonly<Record<CallsignErrorCode, number>> = {
  'upstream-closed': UPSTREAM_ERROR,
  'upstream-unavailable': UPSTREAM_ERROR,
  'upstream-moved': UPSTREAM_ERROR,
  'upstream-timeout': UPSTREAM_ERROR,
  'answer-unreadable': INTERNAL_ERROR,
  'instance-lost': UPSTREAM_ERROR,
  'approval-lost': UPSTREAM_ERROR,
  'upstream-busy': UPSTREAM_ERROR,
  'question-without-caller': INTERNAL_ERROR,
  'question-not-supported': METHOD_NOT_FOUND,
  'call-cancelled': UPSTREAM_ERROR,
  'invalid-params': INVALID_PARAMS,
  'method-not-found': METHOD_NOT_FOUND,
  'resource-not-found': INVALID_PARAMS,
  'unknown-cursor': INVALID_PARAMS,
  'task-only': METHOD_NOT_FOUND,
  'task-end-unknown': UPSTREAM_ERROR,
  'request-state-invalid': INVALID_PARAMS,
  'account-needed': REFUSED,
  'access-denied': REFUSED,
  'credential-needed': REFUSED,
  'policy-denied': REFUSED,
  'not-approved': REFUSED,
  'module-failed': REFUSED,
  'not-recorded': REFUSED,
  'limit-reached': REFUSED,
  'too-many': REFUSED,
  'server-resting': UPSTREAM_ERROR,
  'result-too-large': UPSTREAM_ERROR,
  'result-blocked': REFUSED,
};

/** Errors after which a model can tell its user what to do. */
const FOR_MODELS: ReadonlySet<CallsignErrorCode | undefined> = new Set([
  'account-needed',
  'policy-denied',
]);

/** An error object as JSON text. */
export function errorJson(code: number, message: string, data?: unknown): string {
  return JSON.stringify(data === undefined ? { code, message } : { code, message, data });
}

/**
 * Turns any failure into a reply. Details of unexpected errors are not shown, since they may hold
 * secrets.
 */
export function replyOf(error: unknown): Reply {
  if (!(error instanceof CallsignError)) {
    return { ok: false, json: errorJson(INTERNAL_ERROR, 'Internal error') };
  }
  const { code, message, details } = error;
  const data = { code, ...details };
  return { ok: false, json: errorJson(NUMBERS[code], message, data), fault: error };
}

/**
 * The reply to a call that failed. A call of a tool that is denied, or needs an account, gets a result, because many
 * clients show a model only results.
 */
export function failedReply({ method }: Pick<Call, 'method'>, error: unknown): Reply {
  const reply = replyOf(error);
  const isForModel = FOR_MODELS.has(reply.fault?.code) && method === 'tools/call';
  if (!reply.fault || !isForModel) return reply;
  const { code, message, details } = reply.fault;
  const result = {
    content: [{ type: 'text', text: message }],
    isError: true,
    _meta: { 'callsign/error': { code, ...details } },
  };
  return { ...resultOf(result), fault: reply.fault };
}

/** An error reply with this number. */
export function errorReply(code: number, message: string): Reply {
  return { ok: false, json: errorJson(code, message) };
}

/** The reply to a wrong name, with the sentence that the naming convention requires. */
export function nameReply({ message, suggestions }: NameError): Reply {
  const data = suggestions.length > 0 ? { suggestions } : undefined;
  return { ok: false, json: errorJson(INVALID_PARAMS, message, data) };
}

/** Why something failed, as part of a longer sentence. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof CallsignError)) return String(error);
  return String(error.details['reason'] ?? error.message);
}

/**
 * The reply in a server's answer; `undefined` if it is neither a result nor an error. A client would
 * ignore such an answer and keep waiting.
 */
export function replyIn(result: string | undefined, error: string | undefined): Reply | undefined {
  if (result?.startsWith('{')) return { ok: true, json: result };
  const json = isErrorObject(error) ? error : repairedError(error);
  return json === undefined ? undefined : { ok: false, json };
}

/** Whether it has the fields that every JSON-RPC error must have. */
function isErrorObject(error: string | undefined): error is string {
  const members = error === undefined ? undefined : membersOf(error);
  const [code, message] = [members?.get('code'), members?.get('message')];
  if (error === undefined || !code || !message) return false;
  return (
    Number.isInteger(Number(error.slice(code.start, code.end))) && error[message.start] === '"'
  );
}

/** The error of a server that leaves out the number or writes only a sentence. Its words are kept. */
function repairedError(error: string | undefined): string | undefined {
  const written: unknown = error === undefined ? undefined : JSON.parse(error);
  const message = typeof written === 'string' ? written : memberOf(written, 'message');
  if (typeof message !== 'string' || message === '') return undefined;
  return errorJson(UPSTREAM_ERROR, message, memberOf(written, 'data'));
}
