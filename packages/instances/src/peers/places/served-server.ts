/** A server that runs here, as other instances call it. */

import type { IncomingMessage, ServerResponse } from 'node:http';

import { CallsignError, KINDS } from '@callsign/core';
import {
  createServedSource,
  PendingCalls,
  HttpListener,
  type ServedSource,
  type Upstream,
} from '@callsign/wire';
import type { Implementation } from '@callsign/wire/rpc';

import { callerIn, type OpenCaller } from './carried-caller.js';
import { callerFrom, checkedSource, type CallerCheck } from './checked-source.js';
import type { Refusal } from './server-owner.js';

export interface ServedServerOptions {
  readonly key: string;
  readonly server: Upstream;
  readonly maxMessageBytes: number;
  readonly self: Implementation;
  readonly callers: CallerCheck;
  readonly seal: OpenCaller;
}

/** The status for "not run here". It is sent only before the server could see the request. */
const MISDIRECTED = 421;
/** Marks the refusal of an instance that may run the server in a moment. */
const RETRY = { 'retry-after': '0' };

export class ServedServer {
  readonly #options: ServedServerOptions;
  /** Opened for the first request of another instance. */
  #listener: HttpListener | undefined;
  /** Has the tasks of other instances, so it stays when the listener is closed. */
  #served: ServedSource | undefined;
  #refusal: Refusal | undefined;

  constructor(options: ServedServerOptions) {
    this.#options = options;
  }

  /** Calls of other instances that have no answer yet. */
  get callsUnderWay(): number {
    return this.#listener?.callsUnderWay ?? 0;
  }

  /** Why new sessions are refused; `undefined` if they are not. */
  get refusal(): Refusal | undefined {
    return this.#refusal;
  }

  /** Whether the server can be called. A successor whose start failed cannot. */
  get isReady(): boolean {
    return this.#options.server.state.is === 'ready';
  }

  has(session: string): boolean {
    // Each instance has one session, so there are few.
    return this.#listener?.sessions().some(({ id }) => id === session) === true;
  }

  take(request: IncomingMessage, response: ServerResponse): void {
    request.url = '/mcp';
    this.#listener ??= this.#listen();
    // Each call says itself who its caller is.
    this.#listener.take(request, response, { caller: undefined });
  }

  /** Refuses all further requests. Calls under way get their answers, and their questions are still answered. */
  retire(refusal: Refusal): void {
    this.#refusal = refusal;
    this.#listener?.retire((answer) => answer.with(headersOf(refusal)).empty(MISDIRECTED));
  }

  /** Ends the sessions of other instances. Calls that have no answer fail. `what`: what this instance did. */
  close(what: 'stopped the server' | 'lost its lease of the server'): void {
    void this.#listener?.close(what);
    this.#listener = undefined;
  }

  #listen(): HttpListener {
    return new HttpListener({
      // It opens no port: requests come from the internal listener, which has checked them.
      host: '',
      port: 0,
      acceptsAnyHost: true,
      served: (this.#served ??= this.#serve()),
      pending: new PendingCalls(),
      maxBodyBytes: this.#options.maxMessageBytes,
      viewOf: () => undefined,
      health: () => ({}),
    });
  }

  #serve(): ServedSource {
    const { key, server, self, callers, seal } = this.#options;
    return createServedSource(checkedSource(key, server, callers, seal), {
      self,
      // Capabilities are announced once, so they must be those of the running server.
      whenPlaced: () => (server.isSettled ? undefined : server.settled),
      whenListed: () => whenListed(key, server),
      isKnown: () => isListed(server),
      isSettled: () => server.state.is !== 'starting',
      whenSettled: () => server.settled,
      callerOf: (client, params) => {
        const carried = callerIn(params, seal);
        return carried && callerFrom(client, carried);
      },
    });
  }
}

/** Whether it is known what the server offers: it runs, or it ran before. */
function isListed({ state, offer }: Upstream): boolean {
  return state.is === 'ready' || KINDS.some((kind) => offer[kind].length > 0);
}

/** Rejects if the server has not started: other instances must keep the lists that they remember. */
async function whenListed(key: string, server: Upstream): Promise<void> {
  await server.settled;
  if (isListed(server)) return;
  const reason = server.unavailable ?? '';
  throw new CallsignError('upstream-unavailable', { server: key, reason });
}

/** Refuses a request that no server has seen. */
export function sendAway(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: Refusal,
): void {
  request.resume();
  response.writeHead(MISDIRECTED, headersOf(refusal)).end();
}

/** Reads the refusal of another instance. `retryAfterMs`: the time in its header, if it has one. */
export function refusalOf(retryAfterMs: number | undefined): Refusal {
  return retryAfterMs === undefined ? 'moved' : 'unknown';
}

function headersOf(refusal: Refusal): Record<string, string> {
  return refusal === 'unknown' ? RETRY : {};
}
