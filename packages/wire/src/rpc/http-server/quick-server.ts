/** An HTTP server of Node that answers usual requests itself. */

import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';

import { QuickConnection, type TakesQuick } from './quick-connection.js';

/** Times in milliseconds. */
export interface QuickServerOptions {
  /** The path of usual requests. */
  readonly path: string;
  readonly headersTimeout: number;
  readonly keepAliveTimeout: number;
  readonly connectionsCheckingInterval: number;
  /** False: the connection was closed. */
  readonly accepts: (socket: Socket) => boolean;
  readonly takes: TakesQuick;
  /** Handles every request that is not usual. */
  readonly take: RequestListener;
}

export function createQuickServer(options: QuickServerOptions): Server {
  const { path, accepts, takes, take, ...times } = options;
  const server = createServer(times, take);
  const [toNode] = server.listeners('connection');
  server.removeAllListeners('connection');
  const quick = {
    ...times,
    path,
    takes,
    toNode: (socket: Socket) => void toNode!.call(server, socket),
  };
  server.on('connection', (socket) => {
    if (accepts(socket)) new QuickConnection(socket, quick).open();
  });
  return server;
}
