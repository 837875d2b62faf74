/** Reads the JSON-RPC error in the body of an HTTP error. */

import { memberText } from '@callsign/core';

import { readMessage } from '../message/message.js';

/** A JSON-RPC error that came with an HTTP error. */
export interface Refusal {
  /** The id of the request, as JSON text. */
  readonly id: string | undefined;
  /** The error object, as JSON text. */
  readonly error: string;
  readonly code: number;
  readonly message: string;
}

/** `undefined`: the body is not a JSON-RPC error. */
export function readRefusal(body: string): Refusal | undefined {
  const message = readMessage(body);
  if (message === undefined || message.method !== undefined || !isError(message.error)) {
    return undefined;
  }
  const { id, error } = message;
  const { code, message: words } = JSON.parse(error) as Record<string, unknown>;
  return { id, error, code: Number(code), message: typeof words === 'string' ? words : '' };
}

/**
 * Whether an `error` is that of JSON-RPC: an object with a number. OAuth's answers have an `error`
 * too.
 */
export function isError(error: string | undefined): error is string {
  return error !== undefined && /^-?\d+$/.test(memberText(error, 'code') ?? '');
}
