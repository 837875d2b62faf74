/** Connections to other instances. They are kept open between requests. */

import type { Socket } from 'node:net';

import { HttpClient, type HttpRequest, type HttpResponse } from '@callsign/outbound';

import type { Instance } from '../../directory/instance-directory.js';
import type { ConnectionEnd } from '../keys/instance-key.js';
import { connectingTls, type OwnEnd } from './peer-tls.js';

export interface PeerRequest extends HttpRequest {
  readonly path: string;
}

/** A request to an instance that accepts no connection within this time fails. */
const CONNECT_MS = 2_000;

/** One pool of connections per instance. */
export class PeerConnections {
  readonly #own: OwnEnd;
  readonly #clients = new Map<string, HttpClient>();
  /** All open clients, with the public key of the other end. */
  readonly #open = new Map<HttpClient, string>();
  /** All open connections, with the name of the secret that they use. */
  readonly #sockets = new Map<Socket, string>();

  constructor(own: OwnEnd) {
    this.#own = own;
  }

  /** Sends a request to another instance, as it is. */
  request(instance: Instance, { path, ...request }: PeerRequest): Promise<HttpResponse> {
    let client = this.#clients.get(instance.id);
    if (!client) this.#clients.set(instance.id, (client = this.client(instance)));
    return client.request(new URL(path, instance.address), { ...request, isRelayed: true });
  }

  /**
   * A separate pool for an instance. The caller closes it. `onBroken` is called whenever the other end closes a
   * connection or cannot be reached.
   */
  client(to: ConnectionEnd, onBroken?: () => void): HttpClient {
    const client = new HttpClient({
      tls: connectingTls(this.#own, to),
      connectTimeoutMs: CONNECT_MS,
      onSocket: (socket) => {
        this.#sockets.set(socket, this.#own.secrets.newest.name);
        socket.once('close', () => this.#sockets.delete(socket));
      },
      ...(onBroken ? { onBroken } : {}),
    });
    for (const known of this.#open.keys()) if (known.isClosed) this.#open.delete(known);
    this.#open.set(client, to.key);
    return client;
  }

  /** Ends connections that use a secret that was removed. */
  dropUnproved(): void {
    for (const [socket, name] of this.#sockets) {
      if (!this.#own.secrets.find(name)) socket.destroy();
    }
  }

  /** Whether a request to the instance with this public key has no answer yet. */
  isBusy(publicKey: string): boolean {
    return [...this.#open].some(([client, key]) => key === publicKey && client.isBusy);
  }

  /** Ends all requests to instances that no longer run. */
  keep(running: ReadonlySet<string>): void {
    for (const [id, client] of this.#clients) {
      if (running.has(id)) continue;
      this.#clients.delete(id);
      client.close();
    }
  }

  close(): void {
    this.keep(new Set());
  }
}
