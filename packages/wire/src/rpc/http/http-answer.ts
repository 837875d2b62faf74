/** Finds the answers to our requests in HTTP responses. */

import { elementsOf } from '@callsign/core';
import { readRetryAfter, type HttpResponse } from '@callsign/outbound';

import { readMessage } from '../message/message.js';
import { errorJson, UPSTREAM_ERROR } from '../message/rpc-error.js';
import { errorText } from '../message/rpc-text.js';
import { unreadable } from '../message/unreadable.js';
import type { ChannelEvents, Outgoing } from '../stream/channel.js';
import { ownId } from '../stream/own-id.js';
import { readText } from './http-body.js';
import { HttpFailure } from './http-failure.js';
import { isError, readRefusal } from './refusal.js';

/** Bytes. A longer error is a web page and is not read. */
const MAX_REFUSAL = 65_536;
/** How long the body of an error may take. */
const REFUSAL_MS = 5_000;

/**
 * Takes the messages of a JSON body: one, or an array of them. `take` returns true for a message that was
 * awaited. Returns whether one was.
 */
export function takeAll(body: string, take: (message: string) => boolean): boolean {
  const isArray = /^\s*\[/.test(body);
  const messages = isArray ? (elementsOf(body) ?? []) : [body];
  return messages.map(take).includes(true);
}

/**
 * The message if it answers the request with this id, else `undefined`. An answer that cannot be
 * read belongs to the request of its response. So does an error without an id, and it gets that id.
 */
export function answerTo(id: number, text: string): string | undefined {
  // Searches alone recognise the usual answer. Scanning a long one would take far longer.
  const isPlain = text.includes(`"id":${id},`) || text.includes(`"id":${id}}`);
  const isWhole = /\}\s*$/.test(text.slice(-16));
  if (isPlain && isWhole && !text.includes('"method"')) return text;
  const message = readMessage(text);
  if (message === undefined) return isWhole && unreadable(text).is === 'answer' ? text : undefined;
  if (message.method !== undefined) return undefined;
  if (ownId(message.id) === id) return text;
  const { error } = message;
  return message.id === undefined && isError(error) ? errorText(String(id), error) : undefined;
}

/** Turns an unsuccessful response into a failure. Web pages are not passed on. */
export async function refusalOf(response: HttpResponse, url: URL): Promise<HttpFailure> {
  const { status, body, headers } = response;
  const late = setTimeout(() => body.destroy(), REFUSAL_MS).unref();
  const text = await readText(body, { maxBytes: MAX_REFUSAL, url }).catch(() => '');
  clearTimeout(late);
  const refusal = readRefusal(text);
  const waitMs = readRetryAfter(headers['retry-after']);
  return new HttpFailure('', { url, status, refusal, retryAfterMs: waitMs });
}

/**
 * Ends a request with a failure. For a call it is our own error, so that it can be told from an
 * error of the server. For other requests, and if the server sent its own error, it is an answer.
 */
export function tellFailure(
  failure: HttpFailure,
  { id, item }: Outgoing & { readonly id: number },
  events: ChannelEvents,
): void {
  const { status, retryAfterMs, size, message: reason } = failure;
  if (size && events.onFault?.(id, 'result-too-large', { ...size })) return;
  const details = {
    reason,
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
  const isCall = item !== undefined && !failure.isFinal && !speaksTo(failure, id);
  // A request that reached the server may have taken effect.
  const code = failure.isLost ? 'upstream-closed' : 'upstream-unavailable';
  if (isCall && events.onFault?.(id, code, details)) return;
  events.onText(failedAnswer(id, failure), id);
}

/** Whether the server itself said, in JSON-RPC, what is wrong with this request. */
function speaksTo({ refusal }: HttpFailure, id: number): boolean {
  return refusal !== undefined && (refusal.id === undefined || ownId(refusal.id) === id);
}

/** The answer to a failed request: the server's own error if it has one, otherwise ours. */
export function failedAnswer(id: number, failure: HttpFailure): string {
  const { status, refusal, message, retryAfterMs } = failure;
  const isOurs = refusal !== undefined && speaksTo(failure, id);
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  const data = status === undefined ? undefined : { status, ...wait };
  return errorText(String(id), isOurs ? refusal.error : errorJson(UPSTREAM_ERROR, message, data));
}
