/** Relays requests that belong to another instance of the gateway. */

import type { IncomingMessage } from 'node:http';

import type { Principal } from '@callsign/core';

import type { Message } from '../../rpc/message/message.js';
import { requestStateIn, type PendingCalls } from '../pending-calls.js';
import { markedResultIn, type SessionRouting, type Relay } from '../session-routing.js';
import type { StatedCaller } from './authenticate.js';
import type { HttpResponse } from './http-response.js';
import { single } from './stateless-headers.js';

/** A request that passed all checks of the listener. */
export interface Incoming {
  readonly request: IncomingMessage;
  readonly response: HttpResponse;
  /** Default: no authentication. */
  readonly principal: Principal | undefined;
  /** Set if it may be relayed to another instance. Says who has sent it. */
  readonly relayable?: { readonly caller: StatedCaller | undefined } | undefined;
}

export interface InstanceRelayOptions {
  /** Default: there is one instance, and nothing is relayed. */
  readonly routing: SessionRouting | undefined;
  readonly pending: PendingCalls;
  /** Whether a session is open on this instance. */
  readonly isHere: (id: string) => boolean;
}

/** Answers a request that was not begun, and never will be. */
export type TurnAway = (response: HttpResponse) => void;

const RETRY_AFTER = { 'retry-after': '1' };

/** Each method returns true if it took the request over. */
export class InstanceRelay {
  readonly #options: InstanceRelayOptions;
  #isDraining = false;
  #turnAway: TurnAway | undefined;
  /** Requests of clients that wait for the answer of another instance. */
  callsUnderWay = 0;

  constructor(options: InstanceRelayOptions) {
    this.#options = options;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Takes no new sessions from now on. */
  drain(): void {
    this.#isDraining = true;
  }

  /** Turns all requests of sessions away from now on. */
  retire(turnAway: TurnAway): void {
    this.#turnAway = turnAway;
  }

  /**
   * Handles a request from a client with a session that must not begin here any more; false if it may. Notifications and
   * answers from the client belong to calls under way, so they are always accepted.
   */
  relaysNewWork(incoming: Incoming, messages: readonly Message[], body: string): boolean {
    if (!this.#isDraining && !this.#turnAway) return false;
    const isNew = messages.some(({ method }) => method === 'initialize');
    const isWork = messages.some(({ id, method }) => id !== undefined && method !== undefined);
    if (isNew && this.#isDraining) this.refuseSession(incoming, body);
    else if (isWork && this.#turnAway) this.#turnAway(incoming.response);
    else return false;
    return true;
  }

  /** Relays a request to the home of its session; false if it is for this instance. */
  relaysSession(
    incoming: Incoming,
    body?: string,
    id: string | undefined = idOf(incoming),
  ): boolean {
    const { routing, isHere } = this.#options;
    if (!routing || id === undefined || isHere(id)) return false;
    const gone = (): void => incoming.response.sessionNotFound();
    return this.#relayed(incoming, routing.open(id)?.relay, body, gone);
  }

  /** Relays a stateless request to the home of its call or result. `here` handles it if that is gone. */
  relaysState(incoming: Incoming, message: Message, body: string, here: () => void): boolean {
    return this.#relayed(incoming, this.#homeOf(message), body, here);
  }

  #homeOf(message: Message): Relay | undefined {
    const { routing, pending } = this.#options;
    if (!routing) return undefined;
    const state = requestStateIn(message.params ?? '');
    if (state !== undefined) return pending.relayOf(state);
    const result = markedResultIn(message);
    return result === undefined ? undefined : routing.open(result)?.relay;
  }

  /** While this instance drains: sends a new session elsewhere, or asks the client to retry. */
  refuseSession(incoming: Incoming, body?: string): void {
    const busy = (): void =>
      incoming.response.with(RETRY_AFTER).refuse(503, 'This gateway is shutting down.');
    if (!this.#relayed(incoming, this.#options.routing?.elsewhere(), body, busy)) busy();
  }

  #relayed(
    { request, response, relayable }: Incoming,
    relay: Relay | undefined,
    body: string | undefined,
    gone: () => void,
  ): boolean {
    if (!relay || !relayable) return false;
    const { caller } = relayable;
    // A request without a body is a stream that has no end.
    if (body !== undefined) {
      this.callsUnderWay++;
      response.onClose(() => this.callsUnderWay--);
    }
    const unknown = (): void =>
      response.with(RETRY_AFTER).refuse(503, 'The instance of this session cannot be found now.');
    relay(request, response.raw, {
      gone,
      unknown,
      caller,
      ...(body === undefined ? {} : { body }),
    });
    return true;
  }
}

function idOf({ request }: Incoming): string | undefined {
  return single(request.headers['mcp-session-id']);
}
