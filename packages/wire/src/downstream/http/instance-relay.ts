/** Relays requests that belong to another instance of the gateway. */

import type { IncomingMessage, ServerResponse } from 'node:http';

import type { RequestHead } from '../../rpc/http-server/quick-request.js';
import type { Message } from '../../rpc/message/message.js';
import { requestStateIn, type HeldCalls } from '../held-calls.js';
import type { Homes, Relay } from '../homes.js';
import type { Answer } from './answer.js';
import type { StatedCaller } from './authenticate.js';
import { readBody } from './body.js';
import { single } from './headers.js';
import { refuse, sessionNotFound } from './refuse.js';

/** One incoming request. */
export interface Arrival {
  readonly request: RequestHead;
  readonly answer: Answer;
  /** Unset: it is not relayed to another instance. */
  readonly relayable?: Relayable | undefined;
}

/** A request that was read by Node, and its response. */
interface Relayable {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Unset: no authentication. */
  readonly caller?: StatedCaller | undefined;
}

export interface InstanceRelayOptions {
  /** Unset: there is one instance, and nothing is relayed. */
  readonly homes: Homes | undefined;
  readonly held: HeldCalls;
  /** Whether a session is open on this instance. */
  readonly isHere: (id: string) => boolean;
}

/** Answers a request that was not begun, and never will be. */
export type TurnAway = (answer: Answer) => void;

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

  /** Whether every request may begin here, and belongs here. */
  get isAlone(): boolean {
    return !this.#options.homes && !this.#isDraining && !this.#turnAway;
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
  takesWork(arrival: Arrival, messages: readonly Message[], body: string): boolean {
    if (!this.#isDraining && !this.#turnAway) return false;
    const isNew = messages.some(({ method }) => method === 'initialize');
    const isWork = messages.some(({ id, method }) => id !== undefined && method !== undefined);
    if (isNew && this.#isDraining) this.refuseSession(arrival, body);
    else if (isWork && this.#turnAway) this.#turnAway(arrival.answer);
    else return false;
    return true;
  }

  /** Relays a request to the home of its session; false if it is for this instance. */
  takesSession(arrival: Arrival, body?: string, id: string | undefined = idOf(arrival)): boolean {
    const { homes, isHere } = this.#options;
    if (!homes || id === undefined || isHere(id)) return false;
    const gone = (): void => sessionNotFound(arrival.answer);
    return this.#relayed(arrival, homes.open(id)?.relay, body, gone);
  }

  /** Relays a message of the old pair of endpoints, after reading it. */
  forward(arrival: Arrival, request: IncomingMessage, id: string, maxBytes: number): void {
    readBody(request, maxBytes, (body) => {
      const isTaken = body !== 'too-large' && this.takesSession(arrival, body.text, id);
      if (!isTaken) sessionNotFound(arrival.answer);
    });
  }

  /** Relays a stateless request to the home of its call. `here` handles it if that is gone. */
  takesState(arrival: Arrival, { params = '' }: Message, body: string, here: () => void): boolean {
    const { homes, held } = this.#options;
    const state = homes && requestStateIn(params);
    return this.#relayed(arrival, state && held.relayOf(state), body, here);
  }

  /** While this instance drains: sends a new session elsewhere, or asks the client to retry. */
  refuseSession(arrival: Arrival, body?: string): void {
    const busy = (): void =>
      refuse(arrival.answer.with(RETRY_AFTER), 503, 'This gateway is shutting down.');
    if (!this.#relayed(arrival, this.#options.homes?.elsewhere(), body, busy)) busy();
  }

  #relayed(
    { answer, relayable }: Arrival,
    relay: Relay | undefined | '',
    body: string | undefined,
    gone: () => void,
  ): boolean {
    if (!relay || !relayable) return false;
    const { request, response, caller } = relayable;
    // A request without a body is a stream that has no end.
    if (body !== undefined) {
      this.callsUnderWay++;
      response.once('close', () => this.callsUnderWay--);
    }
    const unknown = (): void =>
      refuse(answer.with(RETRY_AFTER), 503, 'The instance of this session cannot be found now.');
    relay(request, response, { gone, unknown, caller, ...(body === undefined ? {} : { body }) });
    return true;
  }
}

function idOf({ request }: Arrival): string | undefined {
  return single(request.headers['mcp-session-id']);
}
