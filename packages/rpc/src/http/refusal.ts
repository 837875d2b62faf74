/** An HTTP error with a JSON-RPC error in its body. */

import { memberText } from '@callsign/core';

import { readMessage } from '../message/message.js';

export interface Refusal {
  /** The id of the request, as JSON text. */
  readonly id: string | undefined;
  /** The error object, as JSON text. */
  readonly error: string;
  readonly code: number;
  readonly message: string;
}

export function readRefusal(body: string): Refusal | undefined {
  const message = readMessage(body);
  if (message === undefined || message.method !== undefined || !isError(message.error)) {
    return undefined;
  }
  const { id, error } = message;
  const { code, message: words } = JSON.parse(error) as Record<string, unknown>;
  return { id, error, code: Number(code), message: typeof words === 'string' ? words : '' };
}

/** OAuth's answers have an `error` too; JSON-RPC's is an object with a number. */
export function isError(error: string | undefined): error is string {
  return error !== undefined && /^-?\d+$/.test(memberText(error, 'code') ?? '');
}
