/** Limits how many requests of one connection are handled at the same time. Others wait. */

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection. Clients that wait for each answer have one. */
const MOST = 32;

interface Connection {
  open: number;
  readonly waiting: (() => void)[];
}

/** One per listener. Requests begin in the order in which they came. */
export class RequestQueue {
  readonly #connections = new WeakMap<Socket, Connection>();

  /** Runs the work now, or when an earlier request of the connection has its answer. */
  begin(socket: Socket, response: ServerResponse, work: () => void): void {
    const connection = this.#connections.get(socket) ?? { open: 0, waiting: [] };
    this.#connections.set(socket, connection);
    const start = (): void => {
      connection.open++;
      response.once('close', () => {
        connection.open--;
        // In a turn of its own, so that other clients come in between.
        setImmediate(() => next(socket, connection));
      });
      work();
    };
    if (connection.open < MOST && connection.waiting.length === 0) return start();
    connection.waiting.push(start);
    // What has been received is read in any case. The rest must wait.
    socket.pause();
  }
}

function next(socket: Socket, { open, waiting }: Connection): void {
  if (socket.destroyed) waiting.length = 0;
  const start = open < MOST ? waiting.shift() : undefined;
  start?.();
  // It was paused only if something waited.
  if (start && waiting.length === 0) socket.resume();
}
