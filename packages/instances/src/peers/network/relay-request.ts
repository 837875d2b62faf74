/**
 * Sends a client's request on to another instance, and the response back. Neither is changed, and
 * streams stay streams.
 */

import type {
  ClientRequest,
  IncomingHttpHeaders,
  IncomingMessage,
  ServerResponse,
} from 'node:http';

import { CallsignError, elementsOf } from '@callsign/core';
import { errorText, readMessage, replyOf } from '@callsign/wire/rpc';

import type { Instance } from '../../directory/instance-directory.js';
import type { PeerConnections } from './peer-connections.js';

/** A client's request whose home is another instance. */
export interface RelayedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Who the caller is, sealed for the other instance. */
  readonly caller: string;
  /** Unset: the request has no body, such as the opening of a stream or the end of a session. */
  readonly body: string | undefined;
  /** Called instead of a response if the other instance is gone and no call can have been lost. */
  readonly gone: () => void;
}

/** An instance that accepts no connection within this time counts as gone. */
const CONNECT_MS = 2_000;
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

/** Answers the client in every case: with the response, with an error, or by `gone`. */
export function relayRequest(
  connections: PeerConnections,
  home: Instance,
  relayed: RelayedRequest,
): void {
  const { request, response, body, caller } = relayed;
  const { method = 'GET', url: path = '/' } = request;
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const headers = { ...withoutCredentials(endToEnd(request.headers)), ...length, [CALLER]: caller };
  const outgoing = connections.request(home, { method, path, headers });
  const wasConnected = watchConnection(outgoing);
  let reply: IncomingMessage | undefined;
  outgoing.once('response', (message) => {
    reply = message;
    if (response.destroyed) return void outgoing.destroy();
    response.writeHead(message.statusCode ?? 502, endToEnd(message.headers));
    response.flushHeaders();
    message.pipe(response, { end: false });
    message.once('end', () => response.end());
    message.once('error', () => breakOff(relayed, message));
  });
  outgoing.on('error', () => {
    if (reply || response.destroyed) return;
    // A call that may have arrived must not be sent again, so it ends with an error. A request
    // without a body concerns only the session, which is gone.
    if (!wasConnected() || body === undefined) relayed.gone();
    else answerLost(relayed);
  });
  // A client that disconnects cancels its request, there as it would here.
  response.once('close', () => outgoing.destroy());
  outgoing.end(body);
}

/**
 * Returns a function that says whether the request may have reached the other end. A connection
 * that is used again counts at once.
 */
function watchConnection(outgoing: ClientRequest): () => boolean {
  let isConnected = false;
  outgoing.once('socket', (socket) => {
    if (!socket.connecting && outgoing.reusedSocket) {
      isConnected = true;
      return;
    }
    const timer = setTimeout(() => outgoing.destroy(new Error('no connection')), CONNECT_MS);
    socket.once('secureConnect', () => {
      isConnected = true;
      clearTimeout(timer);
    });
    socket.once('close', () => clearTimeout(timer));
  });
  return () => isConnected;
}

/** The instance ended before it answered. Each request in the body gets its own error. */
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
function breakOff({ response, body }: RelayedRequest, { headers }: IncomingMessage): void {
  const isStream = headers['content-type']?.startsWith('text/event-stream') === true;
  if (!isStream || body === undefined || response.destroyed) return void response.destroy();
  // The empty line ends an event that was cut off.
  for (const error of lostErrors(body)) response.write(`\n\nevent: message\ndata: ${error}\n\n`);
  response.end();
}

/** One error per request in the body. Notifications and answers get none. */
function lostErrors(body: string): string[] {
  const texts = body.trimStart().startsWith('[') ? (elementsOf(body) ?? []) : [body];
  const error = replyOf(new CallsignError('instance-lost')).json;
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
