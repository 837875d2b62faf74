/** Servers that run on one instance only. They run here and serve the others, or are called on another instance. */

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
  /** Connections to the instance with this public key. */
  readonly agent: (publicKey: string, onBroken: () => void) => Agent;
  /** The credential of a caller, as it was sent. */
  readonly credentialOf: (principal: Principal) => string | undefined;
  readonly callers: CallerCheck;
}

export interface PlacedServerOptions {
  readonly key: string;
  /** How the server is reached when it runs here. */
  readonly local: Transport;
  readonly maxMessageBytes: number;
  /** The server is reached in another way from now on. */
  readonly onMove: () => void;
}

export interface PlacedServer {
  readonly transport: MovingTransport;
  /** Serves it to other instances while it runs here. */
  serve(server: Upstream): void;
  /** Ends the calls of other instances before the server is stopped. The calls wait until it runs elsewhere. */
  withdraw(): void;
  /** The server has ended. */
  close(): Promise<void>;
}

interface Served {
  readonly server: Upstream;
  readonly maxMessageBytes: number;
  /** Opened for the first request of another instance. */
  listener: HttpListener | undefined;
}

const PATH = /^\/servers\/([^/]+)\/(\d+)$/;

export class InstanceServers {
  readonly #options: InstanceServersOptions;
  readonly #served = new Map<string, Served>();

  constructor(options: InstanceServersOptions) {
    this.#options = options;
  }

  /** Calls of other instances that have no answer yet. */
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

  /** Answers a request of another instance for a server that runs here. */
  take(request: IncomingMessage, response: ServerResponse): void {
    const [, key = '', fence] = PATH.exec(request.url ?? '') ?? [];
    const server = decodeURIComponent(key);
    const served = this.#served.get(server);
    // Another fence means another holder: the other instance asks again where the server is.
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
      // It opens no port: requests come from the internal listener, which has checked them.
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
      // Instances use one era between them. The other instance translates for the server.
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
        // For example a call of the operator. The other instance would refuse it.
        if (credential === undefined && callers.isRequired) {
          throw new CallsignError('credential-needed', { tool: call.target?.canonical ?? key });
        }
        return withCaller(call, credential);
      },
    };
  }
}

/** Sends no call once the lease may have ended, even if this process was suspended meanwhile. */
function fenced(server: string, local: Transport, place: ServerPlace): Transport {
  return {
    ...local,
    prepare(call) {
      if (place.fence !== undefined) return call;
      const reason = 'its lease has ended, and another instance may run it';
      throw new CallsignError('upstream-unavailable', { server, reason });
    },
  };
}

/** Ends the sessions of other instances. They ask again where the server is. */
function endListener(served: Served): void {
  void served.listener?.close();
  served.listener = undefined;
}
