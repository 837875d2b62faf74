/** The envelope of every answer of an adapter, and its form in an MCP result. */

import { CallsignError, type Reply } from '@callsign/core';

import { type AttachedContent, withBytes } from './binary-answer.js';
import { type Details, type ErrorCode, ProtocolError } from './protocol-error.js';

/** A note beside a result, such as that a name is deprecated. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly severity?: 'low' | 'medium' | 'high';
}

export interface Success {
  readonly success: true;
  readonly data: unknown;
  readonly warnings?: readonly Warning[];
}

export interface Failure {
  readonly success: false;
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly details?: Details;
  };
}

/** `success` tells the two apart. */
export type Envelope = Success | Failure;

const MAX_WARNINGS = 10;

export function success(data: unknown, warnings: readonly Warning[] = []): Success {
  if (warnings.length === 0) return { success: true, data };
  const distinct = new Map(
    warnings.map((warning) => [`${warning.code} ${warning.message}`, warning]),
  );
  return { success: true, data, warnings: [...distinct.values()].slice(0, MAX_WARNINGS) };
}

/** The text of an unexpected error is hidden, because it may contain a path or a secret. */
export function failure(error: unknown): Failure {
  if (!(error instanceof ProtocolError)) {
    const isOurs = error instanceof CallsignError;
    const message = isOurs
      ? error.message
      : 'The operation failed, and the request is not the reason; try again later.';
    const code = isOurs && error.code === 'policy-denied' ? 'PERMISSION_DENIED' : 'INTERNAL_ERROR';
    return { success: false, error: { code, message } };
  }
  const { code, message, details } = error;
  return { success: false, error: { code, message, ...(details ? { details } : {}) } };
}

/** Wraps an envelope in a tool result. A failure sets `isError`, so that clients notice it. */
export function envelopeReply(
  json: string,
  isFailure: boolean,
  attachments: readonly AttachedContent[] = [],
): Reply {
  const content = JSON.stringify([{ type: 'text', text: json }, ...attachments]);
  return { ok: true, json: `{"content":${content}${isFailure ? ',"isError":true' : ''}}` };
}

/** The text, and the binary parts that it refers to. */
export interface ToolResult {
  readonly content: [{ readonly type: 'text'; readonly text: string }, ...AttachedContent[]];
  readonly isError?: boolean;
  readonly [member: string]: unknown;
}

/** The envelope in a result, with its bytes. */
export function readEnvelope({ content: [{ text }, ...attached] }: ToolResult): Envelope {
  const envelope = JSON.parse(text) as Envelope;
  if (!envelope.success || attached.length === 0) return envelope;
  return { ...envelope, data: withBytes(envelope.data, attached) };
}
