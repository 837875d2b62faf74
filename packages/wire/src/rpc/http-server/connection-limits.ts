/** Limits the cost of connections: bytes that wait, time without progress, idle connections. */

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import { bytesPassed } from '../stream/reclaim.js';
import type { Account } from './outbox.js';
import type { Responder } from './responder.js';

/** The limits of one listener. Bytes and milliseconds. */
export interface ConnectionLimitOptions {
  readonly maxConnections: number;
  /** Connections without a request. The one that is idle longest is closed first. */
  readonly maxIdleConnections: number;
  /** Bytes that may wait for a client that has not taken the previous message. */
  readonly maxUnsentBytes: number;
  /** The same for all clients together. */
  readonly maxTotalUnsentBytes: number;
  /** While something waits, a client must take or send `minBytes` in this time. */
  readonly progressMs: number;
  readonly minBytes: number;
}

/** The defaults. See docs/limits.md. */
export const CONNECTION_LIMITS: ConnectionLimitOptions = {
  maxConnections: 4_096,
  maxIdleConnections: 256,
  maxUnsentBytes: 16 * 1024 * 1024,
  maxTotalUnsentBytes: 40 * 1024 * 1024,
  progressMs: 10_000,
  minBytes: 64 * 1024,
};

/** Why connections are closed: the key for metrics, and the words for people. */
const REASONS = {
  slow: 'too slow',
  unsent: 'too much unsent data',
  total: 'too much unsent data of all clients',
  idle: 'too many idle connections',
  full: 'too many connections',
} as const;

export type DropReason = keyof typeof REASONS;

/** For metrics. */
export interface ConnectionStatus {
  readonly connections: number;
  /** Bytes that wait for all clients. */
  readonly unsentBytes: number;
  /** Connections that were closed because of a limit. */
  readonly dropped: Readonly<Record<DropReason, number>>;
}

/** How often progress is measured within `progressMs`. */
const SAMPLES = 10;

interface Connection extends Account {
  readonly socket: Socket;
  waiting: number;
  /** The last request, while its body may be incomplete. */
  request: IncomingMessage | undefined;
  openResponses: number;
  /** Whether it has had a request. */
  isUsed: boolean;
  /** Bytes taken by the client, and received from it, at each look since something waits. */
  readonly taken: number[];
  readonly received: number[];
}

/** One per listener. */
export class ConnectionLimits {
  readonly #options: ConnectionLimitOptions;
  readonly #warn: (message: string) => void;
  readonly #connections = new Map<Socket, Connection>();
  /** The longest idle connection comes first. */
  readonly #idle = new Set<Socket>();
  readonly #timer: NodeJS.Timeout;
  readonly #dropped: Record<DropReason, number> = {
    slow: 0,
    unsent: 0,
    total: 0,
    idle: 0,
    full: 0,
  };
  /** Closed connections that are not logged yet. */
  readonly #unsaid = new Map<DropReason, number>();
  #total = 0;

  constructor(
    options: Partial<ConnectionLimitOptions> = {},
    warn: (message: string) => void = () => undefined,
  ) {
    this.#options = { ...CONNECTION_LIMITS, ...options };
    this.#warn = warn;
    this.#timer = setInterval(() => this.#look(), this.#options.progressMs / SAMPLES);
    this.#timer.unref();
  }

  get status(): ConnectionStatus {
    const { size: connections } = this.#connections;
    return { connections, unsentBytes: this.#total, dropped: this.#dropped };
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Closes connections that have answered all their requests. */
  closeIdle(): void {
    for (const socket of this.#idle) if (this.#connections.get(socket)?.isUsed) socket.destroy();
  }

  closeAll(): void {
    for (const socket of this.#connections.keys()) socket.destroy();
  }

  /** A new connection. False: there are too many, and it was closed. */
  accepts(socket: Socket): boolean {
    const { maxConnections, maxIdleConnections } = this.#options;
    if (this.#connections.size >= maxConnections && !this.#closeLongestIdle('full')) {
      this.#count('full');
      socket.destroy();
      return false;
    }
    this.#connections.set(socket, this.#create(socket));
    this.#idle.add(socket);
    socket.once('close', () => {
      this.#connections.delete(socket);
      this.#idle.delete(socket);
    });
    if (this.#idle.size > maxIdleConnections) this.#closeLongestIdle('idle');
    return true;
  }

  /**
   * A request has arrived. Returns the account for the bytes of its response. `request` is set if its
   * body may be incomplete.
   */
  begin(socket: Socket, responder: Responder, request?: IncomingMessage): Account | undefined {
    const connection = this.#connections.get(socket);
    if (!connection) return undefined;
    this.#idle.delete(socket);
    connection.request = request;
    connection.openResponses++;
    connection.isUsed = true;
    responder.onClose(() => {
      connection.openResponses--;
      if (connection.openResponses === 0 && this.#connections.has(socket)) this.#idle.add(socket);
    });
    return connection;
  }

  #create(socket: Socket): Connection {
    const { maxUnsentBytes, maxTotalUnsentBytes } = this.#options;
    const connection: Connection = {
      socket,
      waiting: 0,
      request: undefined,
      openResponses: 0,
      isUsed: false,
      taken: [],
      received: [],
      queue: (bytes) => {
        const hadNone = connection.waiting === 0;
        connection.waiting += bytes;
        this.#total += bytes;
        // A first message is always accepted: the limit is for clients that fall behind.
        if (!hadNone && connection.waiting > maxUnsentBytes) this.#drop(connection, 'unsent');
        while (this.#total > maxTotalUnsentBytes && this.#dropLargest());
        return !socket.destroyed;
      },
      release: (bytes) => {
        connection.waiting -= bytes;
        this.#total -= bytes;
        bytesPassed(bytes);
      },
    };
    return connection;
  }

  /** Drops the connection with the most waiting bytes, if possible one that takes nothing. */
  #dropLargest(): boolean {
    const waiting = [...this.#connections.values()].filter(
      (each) => each.waiting > 0 && !each.socket.destroyed,
    );
    const stuck = waiting.filter(({ socket, taken }) => taken.at(-1) === takenBy(socket));
    const [largest] = (stuck.length > 0 ? stuck : waiting).toSorted(
      (a, b) => b.waiting - a.waiting,
    );
    if (!largest) return false;
    this.#drop(largest, 'total');
    return true;
  }

  #closeLongestIdle(reason: DropReason): boolean {
    const [socket] = this.#idle;
    if (!socket) return false;
    this.#idle.delete(socket);
    this.#connections.delete(socket);
    this.#count(reason);
    socket.destroy();
    return true;
  }

  #look(): void {
    for (const connection of this.#connections.values()) {
      const { socket, request, taken, received, waiting } = connection;
      const isTaking = waiting + socket.writableLength > 0;
      const isSending = request !== undefined && !request.complete && !socket.isPaused();
      if (!isSending) connection.request = undefined;
      const isSlow =
        this.#isSlow(taken, isTaking, takenBy(socket)) ||
        this.#isSlow(received, isSending, socket.bytesRead);
      if (isSlow) this.#drop(connection, 'slow');
    }
    this.#report();
  }

  /** Logs one line for all connections that were closed since the last one. */
  #report(): void {
    if (this.#unsaid.size === 0) return;
    const counts = Array.from(this.#unsaid, ([reason, count]) => `${count} ${REASONS[reason]}`);
    this.#unsaid.clear();
    this.#warn(`Closed connections of HTTP clients: ${counts.join(', ')}.`);
  }

  #count(reason: DropReason): void {
    this.#dropped[reason]++;
    this.#unsaid.set(reason, (this.#unsaid.get(reason) ?? 0) + 1);
  }

  /** Adds a sample. True: there was too little progress since the first one. */
  #isSlow(samples: number[], hasWork: boolean, now: number): boolean {
    if (!hasWork) {
      samples.length = 0;
      return false;
    }
    samples.push(now);
    if (samples.length <= SAMPLES) return false;
    return now - samples.shift()! < this.#options.minBytes;
  }

  #drop(connection: Connection, reason: DropReason): void {
    const { socket, waiting } = connection;
    if (socket.destroyed) return;
    this.#count(reason);
    // Count the memory as free now. The response that holds it is closed later.
    this.#total -= waiting;
    connection.waiting = 0;
    bytesPassed(waiting);
    connection.release = () => undefined;
    socket.destroy();
  }
}

/** Bytes that the system has taken: all that were written, except those that still wait. */
function takenBy(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength;
}
