/** Writes JSON-RPC messages around parameters and results that stay text. */

import { longResultOf, type Reply } from '@callsign/core';

import { around, LONG, LongText, type Text } from '../stream/long-text.js';
import { oneLine } from '../stream/one-line.js';

/** `params` is JSON text. */
export function requestText(id: number, method: string, params: string | undefined): string {
  // Nearly all requests are this one.
  const methodJson = method === 'tools/call' ? '"tools/call"' : JSON.stringify(method);
  const head = `{"jsonrpc":"2.0","id":${id},"method":${methodJson}`;
  return params === undefined ? `${head}}` : `${head},"params":${params}}`;
}

/** `params` is JSON text, and is written as it is. */
export function notificationText(method: string, params?: string): string {
  const head = `{"jsonrpc":"2.0","method":${JSON.stringify(method)}`;
  return params === undefined ? `${head}}` : `${head},"params":${params}}`;
}

/** The parameters of `notifications/cancelled`. `meta` is JSON text. */
export function cancelledParams(
  id: number,
  reason: string | undefined,
  meta: string | undefined,
): string {
  const said = reason === undefined ? '' : `,"reason":${JSON.stringify(reason)}`;
  return `{"requestId":${id}${said}${meta === undefined ? '' : `,"_meta":${meta}`}}`;
}

/** `id` is JSON text, exactly as the other side wrote it. */
export function resultText(id: string, result: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
}

/** A reply to a client. A long result is not copied. */
export function replyText(id: string, reply: Reply): Text {
  if (!reply.ok) return errorText(id, reply.json);
  const long = longResultOf(reply);
  if (!long && reply.json.length < LONG) return resultText(id, reply.json);
  const head = `{"jsonrpc":"2.0","id":${id},"result":`;
  return new LongText(head, long ? viewOf(long.bytes) : oneLine(reply.json), '}');
}

/** The same memory. */
function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** The same around a list, which may be long. */
export function listText(id: string, list: Text): Text {
  return around(`{"jsonrpc":"2.0","id":${id},"result":`, list, '}');
}

/** `error` is JSON text. `id` unset: the request could not be read. */
export function errorText(id: string | undefined, error: string): string {
  return `{"jsonrpc":"2.0","id":${id ?? 'null'},"error":${error}}`;
}
