/** Maps a failed HTTP call to an error of the protocol. */

import type { IncomingHttpHeaders } from 'node:http';

import { CallsignError, memberOf } from '@callsign/core';
import { AddressRefused, BodyTooLarge, readRetryAfter, withoutSecrets } from '@callsign/outbound';

import { tooLarge } from '../protocol/limits.js';
import { type ErrorCode, ProtocolError } from '../protocol/protocol-error.js';
import { exceeded } from '../protocol/rate-limiter.js';
import { readErrorBody } from './error-body.js';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The body as text, without our secrets. */
  readonly text: () => string;
}

/** One day. A longer wait is cut to it. */
const MAX_WAIT_MS = 86_400_000;
const DEFAULT_WAIT_MS = 1000;

/** The error for an answer with an error status. `hidden`: values that no message may show. */
export function answerFailure(answer: HttpAnswer, hidden: readonly string[] = []): ProtocolError {
  const { status, headers, text } = answer;
  if (status === 429) return exceeded(waitOf(answer), Date.now());
  const body = withoutSecrets(text(), hidden);
  const { message: said, rest } = readErrorBody(body, headers['content-type'] ?? '');
  const [code, fallback] = meaningOf(status);
  const message = said === undefined ? fallback : `The target says: ${said}`;
  const details = { http_status: status, ...(rest === undefined ? {} : { target_error: rest }) };
  return new ProtocolError(code, message, details);
}

/** How long the target asks us to wait. */
export function waitOf({ headers }: HttpAnswer): number {
  return Math.min(readRetryAfter(headers['retry-after']) ?? DEFAULT_WAIT_MS, MAX_WAIT_MS);
}

function meaningOf(status: number): readonly [ErrorCode, string] {
  switch (status) {
    case 401:
      return ['PERMISSION_DENIED', 'The target does not accept our credentials; check them.'];
    case 403:
      return ['PERMISSION_DENIED', 'The target does not allow this with our credentials.'];
    case 404:
    case 410:
      return ['NOT_FOUND_RESOURCE', 'The target has no such resource.'];
    case 409:
      return [
        'CONFLICT_ALREADY_EXISTS',
        'The target already has this, or it has changed in the meantime.',
      ];
  }
  if (status >= 400 && status < 500) {
    return ['VALIDATION_INVALID_TYPE', `The target does not accept the request (HTTP ${status}).`];
  }
  return ['INTERNAL_ERROR', `The target failed (HTTP ${status}); try again later.`];
}

const BY_CAUSE: readonly (readonly [RegExp, ErrorCode, string])[] = [
  [
    /^(?:ENOTFOUND|EAI_)/,
    'TRANSPORT_DNS_ERROR',
    'The host name of the target is unknown; check target.base_url.',
  ],
  [/^ECONNREFUSED$/, 'TRANSPORT_CONNECTION_REFUSED', 'The target refused the connection.'],
  [/TIMEOUT|ETIMEDOUT/, 'TRANSPORT_TIMEOUT', 'The target could not be reached in time.'],
  [/CERT|TLS|SSL|SIGNATURE/, 'TRANSPORT_TLS_ERROR', 'The target’s certificate is not accepted.'],
];

/**
 * The error for a call without an answer. The network's own message is hidden: it may contain
 * addresses.
 */
export function sendFailure(error: unknown, signal: AbortSignal, timeoutMs: number): Error {
  if (error instanceof ProtocolError || error instanceof CallsignError) return error;
  if (error instanceof BodyTooLarge) {
    return tooLarge('response_size', error.maxBytes, error.size, 'bytes');
  }
  if (signal.aborted) return new CallsignError('call-cancelled');
  if (error instanceof Error && error.name === 'TimeoutError') {
    const message = `The target did not answer within ${timeoutMs / 1000} s.`;
    return new ProtocolError('TRANSPORT_TIMEOUT', message, { timeout_ms: timeoutMs });
  }
  if (error instanceof AddressRefused) {
    const message = `${error.message} Allow target.private_addresses if the target is in your own network.`;
    return new ProtocolError('PERMISSION_DENIED', message, { reason: 'address' });
  }
  const code = String(memberOf(error, 'code') ?? '');
  const [, known, message] = BY_CAUSE.find(([pattern]) => pattern.test(code)) ?? [];
  if (known !== undefined) return new ProtocolError(known, message!);
  return new ProtocolError('TRANSPORT_NETWORK_ERROR', 'The connection to the target was lost.');
}
