/** Answers to our requests, found in what comes back over HTTP. */

import { elementsOf } from '@callsign/core';

import { readMessage } from '../message.js';
import { errorJson, UPSTREAM_ERROR } from '../rpc-error.js';
import { errorText } from '../rpc-text.js';
import { readText } from './http-body.js';
import type { HttpResponse } from './http-client.js';
import { HttpFailure } from './http-failure.js';
import { isError, readRefusal } from './refusal.js';

/** An error that is longer than this is a page. */
const MAX_REFUSAL = 65_536;

/** The messages of a JSON body: one, or an array of them. */
export function messagesIn(body: string): readonly string[] {
  const isArray = /^\s*\[/.test(body);
  return isArray ? (elementsOf(body) ?? []) : [body];
}

/**
 * The message if it answers the request of this id, else `undefined`. An error without an id is meant for
 * the request with whose answer it came, so it is given that id.
 */
export function answerTo(id: number, text: string): string | undefined {
  // The usual answer, short or long, is known by native searches alone.
  const isPlain = text.includes(`"id":${id},`) || text.includes(`"id":${id}}`);
  if (isPlain && !text.includes('"method"') && /\}\s*$/.test(text.slice(-16))) return text;
  const message = readMessage(text);
  if (message === undefined || message.method !== undefined) return undefined;
  if (message.id === String(id)) return text;
  const { error } = message;
  return message.id === undefined && isError(error) ? errorText(String(id), error) : undefined;
}

/** A response that is no success, as a failure. Pages for people are not passed on. */
export async function refusalOf({ status, body }: HttpResponse, url: URL): Promise<HttpFailure> {
  const text = await readText(body, { maxBytes: MAX_REFUSAL, url }).catch(() => '');
  return new HttpFailure('', { url, status, refusal: readRefusal(text) });
}

/** The answer to a request that failed: in the server's words if they are meant for it, else in ours. */
export function failedAnswer(id: number, { status, refusal, message }: HttpFailure): string {
  const isOurs = refusal !== undefined && (refusal.id === undefined || refusal.id === String(id));
  const data = status === undefined ? undefined : { status };
  return errorText(String(id), isOurs ? refusal.error : errorJson(UPSTREAM_ERROR, message, data));
}
