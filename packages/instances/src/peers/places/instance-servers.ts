/**
 * Servers that run on one instance at a time. On that instance they also serve the others. On the
 * others, their calls are sent to that instance.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';

import { CallsignError } from '@callsign/core';
import type { HttpClient } from '@callsign/outbound';
import { openHttp, type MovingTransport, type Transport, type Upstream } from '@callsign/wire';
import type { Implementation } from '@callsign/wire/rpc';

import type { Instance } from '../../directory/instance-directory.js';
import type { CallerSeal } from '../keys/caller-seal.js';
import { packEnvelope, withCaller } from './carried-caller.js';
import type { CallerCheck } from './checked-source.js';
import { refusalOf, sendAway, ServedServer } from './served-server.js';
import type { ServerOwner, Whereabouts } from './server-owner.js';
import type { OpenPlace, ServerOwners } from './server-owners.js';

interface InstanceServersOptions {
  readonly places: ServerOwners;
  readonly self: Implementation;
  /** A new pool of connections to an instance. `onBroken`: see `PeerConnections`. */
  readonly client: (instance: Instance, onBroken: () => void) => HttpClient;
  readonly seal: Pick<CallerSeal, 'open' | 'seal'>;
  readonly callers: CallerCheck;
}

/** A server that may run here or on another instance, and may move. */
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
  /** Whether this instance holds the lease, so that no other one runs the server. */
  readonly hasLease: boolean;
  /** Calls of other instances that have no answer yet. */
  readonly callsUnderWay: number;
  /** Serves it to other instances while it runs here. */
  serve(server: Upstream): void;
  /** Refuses new calls of other instances. They wait until the server runs elsewhere, or until its successor runs. */
  retire(): void;
  /** Leaves the server to another instance. The lease stays until `release`. */
  resign(): void;
  /** The server has ended here, and another instance may run it. It can be called there from then on. */
  release(): Promise<void>;
  /** The server has ended. */
  close(): Promise<void>;
}

const WITH_UNPROVED =
  'the database says that it runs on an instance that is refused here; the log of the gateway says why';
const PATH = /^\/servers\/([^/]+)\/(\d+)$/;

/** One per instance. It serves local servers to other instances, and reaches servers of others. */
export class InstanceServers {
  readonly #options: InstanceServersOptions;
  /** By key, the newest last. A server and its successor are both served until the first one has ended. */
  readonly #served = new Map<string, readonly ServedServer[]>();

  constructor(options: InstanceServersOptions) {
    this.#options = options;
  }

  /** Calls from other instances that have no answer yet. */
  get callsUnderWay(): number {
    const all = [...this.#served.values()].flat();
    return all.reduce((sum, { callsUnderWay }) => sum + callsUnderWay, 0);
  }

  place({ key, local, maxMessageBytes, onMove }: PlacedServerOptions): PlacedServer {
    const { places, self, callers, seal } = this.#options;
    let served: ServedServer | undefined;
    const move = (): void => {
      // The lease was lost, or has come from another instance. In the second case no call of another instance waits here.
      served?.close('lost its lease of the server');
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
        get waitsFor() {
          return open.place.isWithUnproved ? WITH_UNPROVED : undefined;
        },
      },
      get hasLease() {
        return open.place.fence !== undefined;
      },
      get callsUnderWay() {
        return served?.callsUnderWay ?? 0;
      },
      serve: (server) => {
        served = new ServedServer({ key, server, maxMessageBytes, self, callers, seal });
        this.#served.set(key, [...(this.#served.get(key) ?? []), served]);
      },
      retire: () => served?.retire(this.#served.get(key)?.at(-1) === served ? 'moved' : 'unknown'),
      resign: () => open.place.resign(),
      release: async () => {
        served?.close('stopped the server');
        await open.place.release();
      },
      close: async () => {
        served?.close('stopped the server');
        const others = (this.#served.get(key) ?? []).filter((each) => each !== served);
        if (others.length > 0) this.#served.set(key, others);
        else this.#served.delete(key);
        await open.close();
      },
    };
  }

  /** Answers a request from another instance for a server that runs here. */
  take(request: IncomingMessage, response: ServerResponse): void {
    const [, name = '', fence] = PATH.exec(request.url ?? '') ?? [];
    const key = decodeURIComponent(name);
    const place = this.#options.places.get(key);
    const hasLease = place?.fence === Number(fence);
    const all = this.#served.get(key) ?? [];
    const { 'mcp-session-id': session } = request.headers;
    const newest = all.findLast(({ isReady, refusal }) => isReady && !refusal) ?? all.at(-1);
    const served = session === undefined ? newest : all.find((each) => each.has(String(session)));
    // A server that is handed over still takes what belongs to its calls under way. It refuses the rest itself.
    const isNew = session === undefined;
    const refusal =
      !hasLease || isNew ? (place ? place.refusal(Number(fence)) : 'moved') : undefined;
    if (refusal !== undefined) return sendAway(request, response, refusal);
    if (!served) return sendAway(request, response, 'unknown');
    if (isNew && served.refusal) return sendAway(request, response, served.refusal);
    served.take(request, response);
  }

  /** How to reach the server on another instance. */
  #remote(
    key: string,
    { instance, fence }: Whereabouts & { readonly instance: Instance },
    place: ServerOwner,
    maxMessageBytes: number,
  ): Transport {
    const { client, seal, callers } = this.#options;
    const url = new URL(`/servers/${encodeURIComponent(key)}/${fence}`, instance.address);
    return {
      onePipe: false,
      isMoving: true,
      // There are only sessions between instances. The other instance translates for its server.
      era: 'session',
      translates: true,
      open: () =>
        openHttp({
          url,
          headers: {},
          isInternal: true,
          era: 'session',
          maxMessageBytes,
          client: () => client(instance, () => void place.suspect()),
          onMisdirected: ({ retryAfterMs }) => place.refused(fence, refusalOf(retryAfterMs)),
        }),
      rewrite: packEnvelope,
      prepare: (call) => {
        const { principal } = call.caller;
        // For example a call by the operator. The other instance would refuse it anyway.
        if (!principal && callers.isRequired) {
          throw new CallsignError('credential-needed', { tool: call.target?.canonical ?? key });
        }
        const stated = principal && callers.state(principal);
        return withCaller(call, stated, (caller) => seal.seal(caller, instance.id));
      },
    };
  }
}

/**
 * Checks the lease before each call: this process may have been suspended until after its end. Then
 * another instance may already run the server, and no call must reach this one.
 */
function fenced(server: string, local: Transport, place: ServerOwner): Transport {
  return {
    ...local,
    prepare(call) {
      if (place.fence !== undefined) return call;
      const reason = 'its lease has ended, so another instance may run it now';
      throw new CallsignError('upstream-unavailable', { server, reason });
    },
  };
}
