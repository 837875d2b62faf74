/** Our own errors, each with a code that docs/errors.md explains. */

/** The message for every code: what went wrong and what to do. `{x}` is filled in. */
export const CALLSIGN_ERRORS = {
  'upstream-closed':
    'Server "{server}" did not answer the call: {reason}. It is not known whether the call took effect; check before you make it again.',
  'upstream-unavailable': 'Server "{server}" is not available: {reason}',
  'upstream-moved':
    'Server "{server}" is moving to another instance of the gateway. It did not get the call; try again in a moment.',
  'upstream-timeout': 'Server "{server}" did not answer within {seconds} s.',
  'answer-unreadable':
    'Server "{server}" sent an answer that is neither a result nor an error, or that is nested too deeply.',
  'instance-lost':
    'The instance of the gateway that had this call {what} before it answered. It is not known whether the call took effect; check before you make it again.',
  'approval-lost':
    'The gateway stopped while the call to {tool} waited for an approval. The call was not made; make it again.',
  'upstream-busy': 'Server "{server}" already has {pending} calls waiting. Try again in a moment.',
  'question-without-caller':
    'Server "{server}" sent {method} while calls from several clients were running, so it is not clear which client it meant. Repeat the call while no other call is running.',
  'question-not-supported': 'The client cannot answer {method}, which server "{server}" sent.',
  'call-cancelled': 'The call was cancelled.',
  'invalid-params': 'Invalid params: {reason}',
  'method-not-found': 'Method not found: {method}',
  'resource-not-found': 'Resource not found: {uri}',
  'unknown-cursor': 'Invalid cursor: lists are sent whole, so there is no further page.',
  'task-only': '{tool} can only run as a task, which is not possible here. {advice}',
  'task-end-unknown':
    'Server "{server}" did not report how the task ended before the task expired.',
  'request-state-invalid': 'The requestState is unknown, has expired, or belongs to another call.',
  'account-needed': 'Server "{server}" needs an account of your own. {advice}',
  'access-denied': '{caller} may not use {tool}.',
  'credential-needed':
    'The server of {tool} runs on another instance, which requires a credential. This call has none.',
  'policy-denied':
    'The policy does not allow {tool}: {rule}. The call was not made. Do not try it again or in another way; tell the user.',
  'not-approved': 'The call to {tool} was not approved: {reason}',
  'module-failed': 'Module "{module}" failed: {reason}. {effect}',
  'not-recorded': 'The call to {tool} was not made because it could not be recorded: {reason}',
  'limit-reached': 'Too many calls {what}. Try again in {seconds} s.',
  'too-many': 'At most {limit} {what} are allowed.',
  'server-resting':
    'Server "{server}" failed {failures} times in a row. Calls to it are paused for {seconds} s.',
  'result-too-large':
    'The result of {tool} has {bytes} bytes; the limit is {limit}. Ask for less data.',
  'result-blocked':
    'The result of {tool} was not passed on, because it contains what looks like a secret. The tool has run. Tell the user.',
} as const;

/** A code of `CALLSIGN_ERRORS`. Clients and scripts see it, so a code must not change. */
export type CallsignErrorCode = keyof typeof CALLSIGN_ERRORS;

/**
 * An error that the gateway itself reports. The wire turns its code into a JSON-RPC number; a
 * failure of a tool is a result, never this error.
 */
export class CallsignError extends Error {
  readonly code: CallsignErrorCode;
  /**
   * The values for the placeholders of the message. Never a secret: messages reach clients and
   * logs.
   */
  readonly details: Readonly<Record<string, string | number>>;

  constructor(code: CallsignErrorCode, details: Readonly<Record<string, string | number>> = {}) {
    super(
      CALLSIGN_ERRORS[code].replace(/\{(\w+)\}/g, (_, name: string) => String(details[name] ?? '')),
    );
    this.name = 'CallsignError';
    this.code = code;
    this.details = details;
  }
}
