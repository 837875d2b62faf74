/**
 * Lets a page of one gateway show every gateway of the user. A header says which one a request is
 * for.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';

import { sendJson } from '../router/admin-http.js';
import { ADMIN_PATH } from '../router/admin-router.js';
import type { AdminClient } from '../socket/admin-client.js';
import { relayToSocket } from './socket-relay.js';

/** Finds the gateways that run now. */
export type FindRunning = () => Promise<readonly AdminClient[]>;

/** The header with the process id of the wanted gateway. */
const GATEWAY_HEADER = 'x-callsign-gateway';

/** Whether a request is for another gateway, or for the list of them. */
export function isForOthers({ method, url, headers }: IncomingMessage, own: number): boolean {
  const wanted = headers[GATEWAY_HEADER];
  if (wanted !== undefined && wanted !== String(own)) return true;
  return method === 'GET' && url === `${ADMIN_PATH}/gateways`;
}

/** Passes a request on to the wanted gateway; without the header, to the newest. */
export async function relayToGateway(
  request: IncomingMessage,
  response: ServerResponse,
  find: FindRunning,
): Promise<void> {
  // Gateways that run for one command serve no client.
  const running = (await find()).filter(({ identity }) => identity.isBrief !== true);
  if (request.url === `${ADMIN_PATH}/gateways` && request.method === 'GET') {
    request.resume();
    const identities = running.map(({ identity }) => identity);
    return sendJson(response, 200, identities);
  }
  const wanted = request.headers[GATEWAY_HEADER];
  const chosen =
    wanted === undefined
      ? running.at(-1)
      : running.find(({ identity }) => String(identity.pid) === wanted);
  if (chosen) return relayToSocket(chosen.address, request, response);
  request.resume();
  const error = 'This gateway no longer runs. Start it with: callsign serve';
  sendJson(response, 503, { error });
}
