/**
 * Sends a client's request on to another instance, and the response back. Neither is changed, and
 * streams stay streams.
 */

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

import { CallsignError, elementsOf } from '@callsign/core';
import { RequestFailed, type HttpResponse } from '@callsign/outbound';
import { errorText, readMessage, replyOf } from '@callsign/wire/rpc';

import type { Instance } from '../../directory/instance-directory.js';
import type { PeerConnections } from './peer-connections.js';
import { isRefusedHandshake } from './peer-tls.js';

/** A client's request whose home is another instance. */
export interface RelayedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Who the caller is, sealed for the other instance. */
  readonly caller: string;
  /** Missing if the request has no body, such as the opening of a stream or the end of a session. */
  readonly body: string | undefined;
  /** Called instead of a response if the other instance has ended and no call can have been lost. */
  readonly gone: () => void;
  /** Called instead of a response if it did not answer and no call can have been lost. It may only be slow. */
  readonly unreached: () => void;
}

/** Headers that concern one connection only. They are not sent on. */
const HOP_BY_HOP = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers by which a caller proves who it is. Another instance never gets them. */
const CREDENTIALS = new Set(['authorization', 'cookie']);
/** Between instances: who the caller is. */
export const CALLER = 'callsign-caller';

/** Answers the client in every case: with the response, with an error, or by `gone` or `unreached`. */
export async function relayRequest(
  connections: PeerConnections,
  home: Instance,
  relayed: RelayedRequest,
): Promise<void> {
  const { request, response, body, caller } = relayed;
  const { method = 'GET', url: path = '/' } = request;
  const headers = { ...withoutCredentials(endToEnd(request.headers)), [CALLER]: caller };
  // A client that disconnects cancels its request, there as it would here.
  const leaving = new AbortController();
  response.once('close', () => leaving.abort());
  let reply: HttpResponse;
  try {
    const { signal } = leaving;
    reply = await connections.request(home, { method, path, headers, body, signal });
  } catch (error) {
    if (response.destroyed) return;
    // A call that may have arrived must not be sent again, so it ends with an error. A request without a body
    // concerns only the session, and may be repeated.
    const isUnsent = error instanceof RequestFailed && !error.isSent;
    if (!isUnsent && body !== undefined) return answerLost(relayed);
    return hasEnded(error) ? relayed.gone() : relayed.unreached();
  }
  if (response.destroyed) return void reply.body.destroy();
  // Set first, so that the listener can tell what this response is.
  if (reply.type !== '') response.setHeader('content-type', reply.type);
  response.writeHead(reply.status, endToEnd(reply.headers));
  response.flushHeaders();
  reply.body.pipe(response, { end: false });
  reply.body.once('end', () => response.end());
  reply.body.once('error', () => breakOff(relayed, reply));
}

/**
 * Whether the instance has certainly ended: nothing listens at its address, or another process does. A time limit or a
 * broken connection does not show that.
 */
function hasEnded(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ECONNREFUSED' || isRefusedHandshake(error);
}

/** The instance did not answer. Each request in the body gets its own error. */
function answerLost({ response, body = '' }: RelayedRequest): void {
  const errors = lostErrors(body);
  if (errors.length === 0) return void response.writeHead(502).end();
  const text = errors.length === 1 ? errors[0]! : `[${errors.join(',')}]`;
  response.writeHead(200, { 'content-type': 'application/json' }).end(text);
}

/**
 * The response has begun, so its status cannot change. In a stream the client can still get an
 * error.
 */
function breakOff({ response, body }: RelayedRequest, { type }: HttpResponse): void {
  if (type !== 'text/event-stream' || body === undefined || response.destroyed)
    return void response.destroy();
  // The empty line ends an event that was cut off.
  for (const error of lostErrors(body)) response.write(`\n\nevent: message\ndata: ${error}\n\n`);
  response.end();
}

/** One error per request in the body. Notifications and answers get none. */
function lostErrors(body: string): string[] {
  const texts = body.trimStart().startsWith('[') ? (elementsOf(body) ?? []) : [body];
  const error = replyOf(new CallsignError('instance-lost', { what: 'stopped answering' })).json;
  return texts.flatMap((text) => {
    const message = readMessage(text);
    const isRequest = message?.method !== undefined && message.id !== undefined;
    return isRequest ? [errorText(message.id, error)] : [];
  });
}

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));
}

function withoutCredentials(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !CREDENTIALS.has(name)));
}
