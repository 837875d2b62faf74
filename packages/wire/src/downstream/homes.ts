/** Where sessions and held calls live, if the gateway runs as several instances. */

import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Homes {
  /** Seals a text together with the name of this instance. Clients bring the result back. */
  mark(text: string): string;
  /** Opens a sealed text; `undefined` if no instance sealed it. */
  open(marked: string): Marked | undefined;
  /** The way to an instance that takes new sessions; `undefined` if there is no other. */
  elsewhere(): Relay | undefined;
}

export interface Marked {
  readonly text: string;
  /** The way to the instance that sealed it. Unset: this instance. */
  readonly relay?: Relay | undefined;
}

/** Sends a request to another instance, and its response back to the client. */
export type Relay = (
  request: IncomingMessage,
  response: ServerResponse,
  options: RelayOptions,
) => void;

export interface RelayOptions {
  /** The body, if the request has one. It was read already. */
  readonly body?: string;
  /** Called instead of a response if the instance does not run any more. */
  readonly gone: () => void;
}
