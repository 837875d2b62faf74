/** Relays requests that belong to another instance of the gateway. */

import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Message } from '@callsign/rpc';

import type { HeldCalls } from '../held-calls.js';
import type { Homes, Relay } from '../homes.js';
import { textMember } from '../stateless-client.js';
import type { Answer } from './answer.js';
import { readBody } from './body.js';
import { single } from './headers.js';
import { refuse, sessionNotFound } from './session-leg.js';

/** One incoming request. */
export interface Arrival {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly answer: Answer;
  /** Whether another instance sent it here. It is not relayed again, so it cannot circle. */
  readonly isRelayed: boolean;
}

export interface AwayOptions {
  /** Unset: there is one instance, and nothing is relayed. */
  readonly homes: Homes | undefined;
  readonly held: HeldCalls;
  /** Whether a session is open on this instance. */
  readonly isHere: (id: string) => boolean;
}

const RETRY_AFTER = { 'retry-after': '1' };

/** Each method returns true if it took the request over. */
export class Away {
  readonly #options: AwayOptions;

  constructor(options: AwayOptions) {
    this.#options = options;
  }

  /** Relays a request to the home of its session. False: it is for this instance. */
  takesSession(arrival: Arrival, body?: string, id: string | undefined = idOf(arrival)): boolean {
    const { homes, isHere } = this.#options;
    if (!homes || id === undefined || isHere(id)) return false;
    return relayed(arrival, homes.open(id)?.relay, body, () => sessionNotFound(arrival.answer));
  }

  /** Relays a message of the old pair of endpoints, after reading it. */
  forward(arrival: Arrival, id: string, maxBytes: number): void {
    readBody(arrival.request, maxBytes, (body) => {
      const isTaken = body !== 'too-large' && this.takesSession(arrival, body.text, id);
      if (!isTaken) sessionNotFound(arrival.answer);
    });
  }

  /** Relays a stateless request to the home of its call. `here` handles it if that is gone. */
  takesState(arrival: Arrival, { params = '' }: Message, body: string, here: () => void): boolean {
    const { homes, held } = this.#options;
    const state = homes && textMember(params, 'requestState');
    return relayed(arrival, state && held.relayOf(state), body, here);
  }

  /** While this instance drains: sends a new session elsewhere, or asks the client to retry. */
  refuseSession(arrival: Arrival, body?: string): void {
    const busy = (): void =>
      refuse(arrival.answer.with(RETRY_AFTER), 503, -32000, 'This gateway is shutting down.');
    if (!relayed(arrival, this.#options.homes?.elsewhere(), body, busy)) busy();
  }
}

function idOf({ request }: Arrival): string | undefined {
  return single(request.headers['mcp-session-id']);
}

function relayed(
  { request, response, isRelayed }: Arrival,
  relay: Relay | undefined | '',
  body: string | undefined,
  gone: () => void,
): boolean {
  if (!relay || isRelayed) return false;
  relay(request, response, { gone, ...(body === undefined ? {} : { body }) });
  return true;
}
