/**
 * Servers that run on one instance at a time. On that instance they also serve the others. On the
 * others, their calls are sent to that instance.
 */

import type { Agent, IncomingMessage, ServerResponse } from 'node:http';

import { CallsignError, type Principal } from '@callsign/core';
import type { Instance } from '@callsign/instances';
import type { Implementation } from '@callsign/rpc';
import { createSurface, HeldCalls, HttpListener, openHttp } from '@callsign/wire';
import type { MovingTransport, Transport, Upstream } from '@callsign/wire';

import { packEnvelope, withCaller } from './carried-caller.js';
import { checkedSource, type CallerCheck } from './checked-source.js';
import type { ServerPlace, Whereabouts } from './server-place.js';
import type { OpenPlace, ServerPlaces } from './server-places.js';

export interface InstanceServersOptions {
  readonly places: ServerPlaces;
  readonly self: Implementation;
  /**
   * A new pool of connections to the instance with this public key. `onBroken`: see
   * `PeerConnections`.
   */
  readonly agent: (publicKey: string, onBroken: () => void) => Agent;
  /** The credential of a caller, as it was sent; `undefined` if it sent none here. */
  readonly credentialOf: (principal: Principal) => string | undefined;
  readonly callers: CallerCheck;
}

export interface PlacedServerOptions {
  readonly key: string;
  /** How the server is reached when it runs here. */
  readonly local: Transport;
  readonly maxMessageBytes: number;
  /** Called when the server must be reached in another way. */
  readonly onMove: () => void;
}

/** One server, wherever it runs. The order of calls is `serve`, `withdraw`, `close`. */
export interface PlacedServer {
  /** Finds out where the server is, and how to reach it there. */
  readonly transport: MovingTransport;
  /** Offers the server to other instances. It replaces an earlier one with the same key. */
  serve(server: Upstream): void;
  /**
   * Ends calls from other instances. Call it before the server is stopped. Those calls wait until
   * the server runs elsewhere.
   */
  withdraw(): void;
  /** Gives the lease up. Call it after the server has ended. */
  close(): Promise<void>;
}

interface Served {
  readonly server: Upstream;
  readonly maxMessageBytes: number;
  /** Unset until another instance sends the first request. */
  listener: HttpListener | undefined;
}

/** The key of the server, and the fence under which the sender knows it. */
const PATH = /^\/servers\/([^/]+)\/(\d+)$/;

/** One per instance. It serves local servers to other instances, and reaches servers of others. */
export class InstanceServers {
  readonly #options: InstanceServersOptions;
  readonly #served = new Map<string, Served>();

  constructor(options: InstanceServersOptions) {
    this.#options = options;
  }

  /** Calls from other instances that have no answer yet. */
  get callsUnderWay(): number {
    let calls = 0;
    for (const { listener } of this.#served.values()) calls += listener?.callsUnderWay ?? 0;
    return calls;
  }

  place({ key, local, maxMessageBytes, onMove }: PlacedServerOptions): PlacedServer {
    const { places } = this.#options;
    let served: Served | undefined;
    const move = (): void => {
      if (served) endListener(served);
      onMove();
    };
    const open: OpenPlace = places.open(key, move);
    return {
      transport: {
        where: async () => {
          const at = await open.place.where();
          return at.at === 'here'
            ? fenced(key, local, open.place)
            : this.#remote(key, at, open.place, maxMessageBytes);
        },
      },
      serve: (server) => {
        const before = this.#served.get(key);
        if (before) endListener(before);
        served = { server, maxMessageBytes, listener: undefined };
        this.#served.set(key, served);
      },
      withdraw: () => {
        if (served) endListener(served);
        if (this.#served.get(key) === served) this.#served.delete(key);
      },
      close: () => open.close(),
    };
  }

  /** Answers a request from another instance for a server that runs here. */
  take(request: IncomingMessage, response: ServerResponse): void {
    const [, key = '', fence] = PATH.exec(request.url ?? '') ?? [];
    const server = decodeURIComponent(key);
    const served = this.#served.get(server);
    // The lease has changed hands since the sender looked. On 404 it asks again where the server
    // is.
    if (!served || !this.#options.places.held(server, Number(fence))) {
      request.resume();
      return void response.writeHead(404).end();
    }
    request.url = '/mcp';
    served.listener ??= this.#listen(server, served);
    served.listener.take(request, response, true);
  }

  #listen(key: string, { server, maxMessageBytes }: Served): HttpListener {
    const { self, callers } = this.#options;
    return new HttpListener({
      // It never listens: requests come from the internal listener, which has checked their sender.
      host: '',
      port: 0,
      acceptsAnyHost: true,
      surface: createSurface(checkedSource(key, server, callers), {
        self,
        whenListed: () => server.settled,
        isSettled: () => server.state.is !== 'starting',
        whenSettled: () => server.settled,
      }),
      held: new HeldCalls(),
      maxBodyBytes: maxMessageBytes,
      viewOf: () => undefined,
      health: () => ({}),
    });
  }

  /** How to reach the server on another instance. */
  #remote(
    key: string,
    { instance, fence }: Whereabouts & { readonly instance: Instance },
    place: ServerPlace,
    maxMessageBytes: number,
  ): Transport {
    const { agent, credentialOf, callers } = this.#options;
    const url = new URL(`/servers/${encodeURIComponent(key)}/${fence}`, instance.address);
    return {
      onePipe: false,
      isMoving: true,
      // There are only sessions between instances. The other instance translates for its server.
      era: 'session',
      open: () =>
        openHttp({
          url,
          headers: {},
          era: 'session',
          maxMessageBytes,
          agent: () => agent(instance.key, () => void place.suspect()),
        }),
      rewrite: packEnvelope,
      prepare: (call) => {
        const { principal } = call.caller;
        const credential = principal && credentialOf(principal);
        // For example a call by the operator. The other instance would refuse it anyway.
        if (credential === undefined && callers.isRequired) {
          throw new CallsignError('credential-needed', { tool: call.target?.canonical ?? key });
        }
        return withCaller(call, credential);
      },
    };
  }
}

/**
 * Checks the lease before each call: this process may have been suspended until after its end. Then
 * another instance may already run the server, and no call must reach this one.
 */
function fenced(server: string, local: Transport, place: ServerPlace): Transport {
  return {
    ...local,
    prepare(call) {
      if (place.fence !== undefined) return call;
      const reason = 'its lease has ended, so another instance may run it now';
      throw new CallsignError('upstream-unavailable', { server, reason });
    },
  };
}

/**
 * Ends the sessions of other instances, which then ask again where the server is. Not awaited: the
 * new place must not wait for it.
 */
function endListener(served: Served): void {
  void served.listener?.close();
  served.listener = undefined;
}
