/**
 * A TCP proxy in front of a server that can hang: it takes bytes and passes them on only when it lets go. Bytes towards
 * the server arrive then, even if the client has given up in the meantime. In a real network they may do that too.
 */

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** `up`: from the client to the server. `down`: the way back. */
export type Direction = 'up' | 'down';

interface Way {
  readonly to: Socket;
  readonly pending: Buffer[];
  isHeld: boolean;
  /** The sender has closed. */
  isDone: boolean;
}

/** PostgreSQL says that a statement is done and that it is ready for the next one. */
const READY = Buffer.from('Z\0\0\0\x05', 'latin1');

type Connection = Readonly<Record<Direction, Way>>;

export class HangingProxy {
  readonly #server: Server;
  readonly #connections = new Set<Connection>();
  /** The directions that hang on all connections, the new ones included. */
  readonly #hanging = new Set<Direction>();
  #trap: { readonly at: RegExp; readonly direction: Direction; spring(): void } | undefined;

  private constructor(target: { readonly host: string; readonly port: number }) {
    this.#server = createServer((client) => this.#join(client, connect(target)));
  }

  static async before(url: string): Promise<HangingProxy> {
    const { hostname: host, port } = new URL(url);
    const proxy = new HangingProxy({ host, port: Number(port) });
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** The same address, through this proxy. */
  through(url: string): string {
    const changed = new URL(url);
    changed.port = String((this.#server.address() as AddressInfo).port);
    return changed.href;
  }

  /** Hangs in these directions, on all connections. */
  hang(...directions: Direction[]): void {
    for (const direction of directions) {
      this.#hanging.add(direction);
      for (const connection of this.#connections) connection[direction].isHeld = true;
    }
  }

  /** Everything that was pending arrives now. */
  letGo(): void {
    this.#hanging.clear();
    this.#trap = undefined;
    for (const connection of this.#connections) {
      for (const way of [connection.up, connection.down]) {
        way.isHeld = false;
        for (const chunk of way.pending.splice(0)) way.to.write(chunk);
        if (way.isDone) way.to.end();
      }
    }
  }

  /**
   * The next connection whose client sends such a text breaks for the client. `up`: the text is held until `letGo`.
   * `down`: the text arrives, and the answer is lost. Resolves when that has happened.
   */
  breakAt(at: RegExp, direction: Direction): Promise<void> {
    return new Promise((resolve) => (this.#trap = { at, direction, spring: resolve }));
  }

  async close(): Promise<void> {
    for (const { up, down } of this.#connections) for (const { to } of [up, down]) to.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(client: Socket, server: Socket): void {
    const way = (direction: Direction, to: Socket): Way => {
      return { to, pending: [], isHeld: this.#hanging.has(direction), isDone: false };
    };
    const connection: Connection = { up: way('up', server), down: way('down', client) };
    this.#connections.add(connection);
    const pass = (from: Socket, direction: Direction): void => {
      const own = connection[direction];
      from.on('data', (chunk: Buffer) => {
        if (direction === 'up') this.#watch(chunk, connection);
        if (own.isHeld) own.pending.push(chunk);
        else own.to.write(chunk);
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        own.isDone = true;
        if (own.pending.length === 0) own.to.end();
        if (connection.up.isDone && connection.down.isDone) this.#connections.delete(connection);
      });
    };
    pass(client, 'up');
    pass(server, 'down');
  }

  #watch(chunk: Buffer, connection: Connection): void {
    const trap = this.#trap;
    if (!trap?.at.test(chunk.toString('latin1'))) return;
    this.#trap = undefined;
    const { up, down } = connection;
    connection[trap.direction].isHeld = true;
    const pending = connection[trap.direction].pending;
    const isComplete = (): boolean =>
      trap.direction === 'up' ? pending.length > 0 : Buffer.concat(pending).includes(READY);
    const look = (): void => {
      if (!isComplete()) return void setTimeout(look, 20);
      if (trap.direction === 'down') pending.length = 0;
      // For the client, the connection breaks. What is held towards the server stays.
      down.to.destroy();
      if (up.pending.length === 0) up.to.end();
      trap.spring();
    };
    // A statement may come in several parts.
    setTimeout(look, 50);
  }
}
