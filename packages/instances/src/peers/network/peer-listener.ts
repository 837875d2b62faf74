/** The internal listener. It answers other instances only, never clients. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { Socket } from 'node:net';

import { sameText } from '@callsign/wire/rpc';
import { listenOn } from '@callsign/wire/rpc/http-server';

import type { Instance } from '../../directory/instance-directory.js';
import type { InstanceKey } from '../keys/instance-key.js';
import { listeningTls, type ClaimedPeer } from './peer-tls.js';

interface PeerListenerOptions {
  readonly host: string;
  /** 0: the system chooses a port. */
  readonly port: number;
  readonly key: InstanceKey;
  /** Asks the directory for an instance; `undefined` if it does not run. */
  readonly find: (id: string) => Promise<Instance | undefined>;
  /** Gets each request whose sender is proved. `from` is the sender. */
  readonly onRequest: (request: IncomingMessage, response: ServerResponse, from: Instance) => void;
}

const HEADERS_MS = 10_000;
/**
 * Longer than a sender keeps an idle connection, so that the sender closes it. Otherwise a request
 * could meet a closing connection.
 */
const KEEP_ALIVE_MS = 60_000;

/**
 * A sender proves that it has the private half of a key in the directory. Otherwise it gets no
 * answer.
 */
export class PeerListener {
  readonly #options: PeerListenerOptions;
  readonly #server: Server;
  /** Who is at the other end of each connection, as it said in the handshake. */
  readonly #claims = new WeakMap<Socket, ClaimedPeer>();

  constructor(options: PeerListenerOptions) {
    this.#options = options;
    const tls = listeningTls(options.key, (socket, peer) => this.#claims.set(socket, peer));
    this.#server = createServer(
      { ...tls, headersTimeout: HEADERS_MS, requestTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS },
      (request, response) => void this.#take(request, response),
    );
    // Not logged here: the end that connects reports a failed handshake.
    this.#server.on('tlsClientError', (_, socket) => socket.destroy());
  }

  /** Opens the listener and returns the port. */
  listen(): Promise<number> {
    const { host, port } = this.#options;
    return listenOn(this.#server, port, host);
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const from = await this.#sender(request.socket).catch(() => undefined);
    if (request.socket.destroyed) return;
    if (!from) return void request.socket.destroy();
    try {
      this.#options.onRequest(request, response, from);
    } catch {
      request.socket.destroy();
    }
  }

  /**
   * The instance at the other end. It is looked up for every request: it must be in the directory
   * now, with the key that it proved in the handshake.
   */
  async #sender(socket: Socket): Promise<Instance | undefined> {
    const claim = this.#claims.get(socket);
    const instance = claim && (await this.#options.find(claim.id));
    return instance && sameText(instance.key, claim.key) ? instance : undefined;
  }
}
