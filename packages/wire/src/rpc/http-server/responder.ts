/** Where an answer is written: a response of Node, or a quick connection. */

import type { ServerResponse } from 'node:http';

/** Names and values in turn: Node writes a list faster than an object. */
export type HeaderList = readonly (string | number)[];

/** Sends one response, whole or in parts. */
export interface Responder {
  /** Whether the client is still there and the response has not ended. */
  readonly isOpen: boolean;
  /** Sends a whole response with a short text. Its length is among the headers. */
  send(status: number, headers: HeaderList, text: string): void;
  /** Begins a response that is sent in parts. */
  begin(status: number, headers: HeaderList): ServerResponse;
  /** Calls back when the response has ended, or the client has disconnected. */
  onClose(listener: () => void): void;
}

/** Writes with Node's own response. */
export class NodeResponder implements Responder {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
    if (!response.socket) closeWithConnection(response);
  }

  get isOpen(): boolean {
    return !this.#response.writableEnded && !this.#response.destroyed;
  }

  send(status: number, headers: HeaderList, text: string): void {
    // Node sends short text together with the head.
    this.begin(status, headers).end(text);
  }

  begin(status: number, headers: HeaderList): ServerResponse {
    return this.#response.writeHead(status, [...headers]);
  }

  onClose(listener: () => void): void {
    this.#response.once('close', listener);
  }
}

/**
 * A client may send a request before it has the answer to the last one. Until then, the next
 * response has no socket, and Node does not close it when the client disconnects.
 */
function closeWithConnection(response: ServerResponse): void {
  const { socket } = response.req;
  const close = (): void => {
    if (response.socket || response.closed) return;
    response.destroy();
    response.emit('close');
  };
  // One for each request that waits.
  socket.setMaxListeners(0).once('close', close);
  response.once('close', () => socket.off('close', close));
}
