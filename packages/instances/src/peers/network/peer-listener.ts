/** The internal listener. It answers other instances only, never clients. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { Socket } from 'node:net';

import { listenOn, sameText } from '@callsign/wire/rpc';

import type { Instance } from '../../directory/instance-directory.js';
import { listeningTls, type ClaimedPeer, type OwnEnd } from './peer-tls.js';

interface PeerListenerOptions extends OwnEnd {
  readonly host: string;
  /** 0: the system chooses a port. */
  readonly port: number;
  /** Asks the directory for an instance; `undefined` if it does not run. */
  readonly find: (id: string) => Promise<Instance | undefined>;
  /** Gets each request whose sender is proved. `from` is the sender. */
  readonly onRequest: (request: IncomingMessage, response: ServerResponse, from: Instance) => void;
  /** Called for an end that has not proved that it knows the secrets. `id`: who it says it is. */
  readonly onUnproved: (id: string, address: string) => void;
}

const HEADERS_MS = 10_000;
/**
 * Longer than a sender keeps an idle connection, so that the sender closes it. Otherwise a request
 * could meet a closing connection.
 */
const KEEP_ALIVE_MS = 60_000;

/**
 * A sender proves that it knows one of the shared secrets and has the private half of a key in the directory. Otherwise
 * it gets no answer.
 */
export class PeerListener {
  readonly #options: PeerListenerOptions;
  readonly #server: Server;
  /** Who is at the other end of each connection, as it said in the handshake. */
  readonly #claims = new Map<Socket, ClaimedPeer>();

  constructor(options: PeerListenerOptions) {
    this.#options = options;
    const { onUnproved } = options;
    const tls = listeningTls(options, {
      onPeer: (socket, peer) => {
        this.#claims.set(socket, peer);
        socket.once('close', () => this.#claims.delete(socket));
      },
      onUnproved: (socket, id) => onUnproved(id, addressOf(socket)),
    });
    this.#server = createServer(
      { ...tls, headersTimeout: HEADERS_MS, requestTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS },
      (request, response) => void this.#take(request, response),
    );
    this.#server.on('tlsClientError', (_, socket) => {
      const claim = this.#claims.get(socket);
      if (claim) onUnproved(claim.id, addressOf(socket));
      socket.destroy();
    });
  }

  /** Opens the listener and returns the port. */
  listen(): Promise<number> {
    const { host, port } = this.#options;
    return listenOn(this.#server, port, host);
  }

  /** Ends connections that use a secret that was removed. */
  dropUnproved(): void {
    for (const [socket, { secret }] of this.#claims) {
      if (!this.#options.secrets.find(secret)) socket.destroy();
    }
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

function addressOf({ remoteAddress = 'unknown address' }: Socket): string {
  return remoteAddress;
}
