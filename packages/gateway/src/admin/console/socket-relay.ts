/**
 * Passes a request of a page on to the admin socket of a gateway. The caller was checked before.
 */

import { request as openRequest, type IncomingMessage, type ServerResponse } from 'node:http';

import { sendJson } from '../router/admin-http.js';

/** Headers of the reply that a page needs. */
const PASSED = [
  'content-type',
  'cache-control',
  'x-content-type-options',
  'x-accel-buffering',
  'content-disposition',
];

/** Replies and event streams are passed on without waiting for their end. */
export function relayToSocket(
  address: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { method, url: path, headers } = request;
  const type = headers['content-type'] ?? 'application/json';
  const passed = openRequest({
    socketPath: address,
    ...(method === undefined ? {} : { method }),
    path,
    agent: false,
    headers: { 'content-type': type, connection: 'close' },
  });
  passed.on('error', () => {
    if (response.headersSent) response.destroy();
    else sendJson(response, 503, { error: 'The gateway has ended. Start it with: callsign serve' });
  });
  passed.on('response', (reply) => {
    const passedHeaders = PASSED.flatMap((name) => {
      const value = reply.headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    response.writeHead(reply.statusCode ?? 502, Object.fromEntries(passedHeaders));
    response.flushHeaders();
    reply.pipe(response);
    reply.on('error', () => response.destroy());
  });
  response.once('close', () => passed.destroy());
  request.pipe(passed);
}
