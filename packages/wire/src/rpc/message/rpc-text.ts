/** Writes JSON-RPC messages around parameters and results that stay text. */

import type { Reply } from '@callsign/core';

import { around, type Text } from '../stream/long-text.js';

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

/** A reply to a client. */
export function replyText(id: string, { ok, json }: Reply): string {
  return ok ? resultText(id, json) : errorText(id, json);
}

/** A reply with a list, which may be long. */
export function listText(id: string, list: Text): Text {
  return around(`{"jsonrpc":"2.0","id":${id},"result":`, list, '}');
}

/** `error` is JSON text. `id` unset: the request could not be read. */
export function errorText(id: string | undefined, error: string): string {
  return `{"jsonrpc":"2.0","id":${id ?? 'null'},"error":${error}}`;
}

const DROPPABLE =
  /^\{"jsonrpc":"2.0","method":"notifications\/(?:progress|message|resources\/updated|tasks)\b/;

/**
 * Whether this is a notification that a server can send without end. A client that reads too slowly
 * does not get it. It misses nothing that it cannot ask for again.
 */
export function isDroppable(text: Text): boolean {
  return typeof text === 'string' && DROPPABLE.test(text);
}
