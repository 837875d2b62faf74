/** A console on loopback for gateways without an HTTP listener. It uses their admin sockets. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { OriginCheck } from '@callsign/wire';

import type { AdminClient } from '../socket/admin-client.js';
import { sendJson } from '../router/admin-http.js';
import { ConsoleAccess } from './console-access.js';
import { ConsoleSite } from './console-site.js';
import { relayToGateway } from './gateway-choice.js';

/** What `callsign console` passes. */
export interface ConsolePageOptions {
  /** The folder with the built console. */
  readonly folder: string;
  /** Finds the gateways that run now. Called for each request. */
  readonly gateways: () => Promise<readonly AdminClient[]>;
  /** Default: any free port. */
  readonly port?: number;
}

/** An open page. It serves until `close`. */
export interface ConsolePage {
  /** A link that signs in once, within a minute. */
  link(): string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/** Resolves when the port is open, and rejects if it is in use. */
export async function openConsolePage(options: ConsolePageOptions): Promise<ConsolePage> {
  const { folder, gateways, port = 0 } = options;
  const access = new ConsoleAccess();
  const site = new ConsoleSite({
    folder,
    access,
    serve: (request, response) => {
      relayToGateway(request, response, gateways).catch(() => response.destroy());
    },
  });
  const origins = new OriginCheck({});
  const server = createServer((request, response) => {
    const wrong = origins.refusal(request);
    const path = URL.canParse(request.url!, 'http://page')
      ? new URL(request.url!, 'http://page').pathname
      : '/';
    const handler = wrong === undefined ? site.siteAt(path) : undefined;
    if (handler) return handler(request, response);
    request.resume();
    sendJson(response, wrong === undefined ? 404 : 403, {
      error: wrong ?? `There is no page at ${path}.`,
    });
  });
  await new Promise<void>((opened, failed) => {
    server.on('error', failed);
    server.listen(port, HOST, opened);
  });
  const origin = `http://${HOST}:${(server.address() as AddressInfo).port}`;
  return {
    link: () => `${origin}/console/#token=${access.createToken()}`,
    async close() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}
