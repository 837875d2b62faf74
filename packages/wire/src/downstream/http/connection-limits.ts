/** Limits the cost of connections: bytes that wait, time without progress, idle connections. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The limits of one listener. Bytes and milliseconds. */
export interface ConnectionLimitOptions {
  readonly maxConnections: number;
  /** Connections that have had no request for some seconds. The one that is idle longest is closed first. */
  readonly maxIdleConnections: number;
  /** Bytes that may wait for a client that has not taken the previous message. */
  readonly maxUnsentBytes: number;
  /** Bytes that may wait for all clients together. */
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

/** Counts the bytes that wait for a client. */
export interface Account {
  /** These bytes wait from now on. Returns false if the connection was dropped because of them. */
  queue(bytes: number): boolean;
  /** These bytes no longer wait. */
  release(bytes: number): void;
}

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
/**
 * Looks without a request after which a connection counts as idle. Before that, its request may be on the way. Looks, not
 * time: while this process is busy, requests wait unread.
 */
const IDLE_LOOKS = 3;
/**
 * A client that has ended its side may still read its answer, or it has left. Only writing tells: the first bytes make
 * the system of a client that left refuse the connection, and the next ones find it refused.
 */
const PROBE_MS = [250, 50];
const LATER_PROBES_MS = 1_000;

interface Connection extends Account {
  readonly socket: Socket;
  waiting: number;
  /** The last request, while its body may be incomplete. */
  request: IncomingMessage | undefined;
  /** Those that have not ended, in their order. */
  readonly responses: Set<ServerResponse>;
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
  /** Connections without a request, and the number of the look before it. The longest idle one comes first. */
  readonly #idle = new Map<Socket, number>();
  #looks = 0;
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
    for (const socket of this.#idle.keys())
      if (this.#connections.get(socket)?.isUsed) socket.destroy();
  }

  closeAll(): void {
    for (const socket of this.#connections.keys()) socket.destroy();
  }

  /** Counts a new connection. Closes it, or the one that is idle longest, if there are too many. */
  add(socket: Socket): void {
    const { maxConnections } = this.#options;
    if (this.#connections.size >= maxConnections && !this.#closeLongestIdle('full')) {
      this.#count('full');
      socket.destroy();
      return;
    }
    const connection = this.#create(socket);
    this.#connections.set(socket, connection);
    socket.once('end', () => probe(connection));
    this.#idle.set(socket, this.#looks);
    socket.once('close', () => {
      this.#connections.delete(socket);
      this.#idle.delete(socket);
    });
  }

  /** A request has arrived. Returns the account for the bytes of its response. */
  begin(request: IncomingMessage, response: ServerResponse): Account | undefined {
    const { socket } = request;
    const connection = this.#connections.get(socket);
    if (!connection) return undefined;
    this.#idle.delete(socket);
    connection.request = request;
    connection.responses.add(response);
    connection.isUsed = true;
    response.once('close', () => {
      connection.responses.delete(response);
      if (connection.responses.size > 0 || !this.#connections.has(socket)) return;
      this.#idle.set(socket, this.#looks);
    });
    return connection;
  }

  #create(socket: Socket): Connection {
    const { maxUnsentBytes, maxTotalUnsentBytes } = this.#options;
    const connection: Connection = {
      socket,
      waiting: 0,
      request: undefined,
      responses: new Set(),
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
    const [socket] = this.#idle.keys();
    if (!socket) return false;
    this.#idle.delete(socket);
    this.#connections.delete(socket);
    this.#count(reason);
    socket.destroy();
    return true;
  }

  #look(): void {
    this.#looks++;
    this.#limitIdle();
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

  #limitIdle(): void {
    let idle = 0;
    for (const since of this.#idle.values()) {
      if (this.#looks - since <= IDLE_LOOKS) break;
      idle++;
    }
    for (; idle > this.#options.maxIdleConnections; idle--) this.#closeLongestIdle('idle');
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

  /** Adds a sample. Returns true if there was too little progress since the first one. */
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
    connection.release = () => undefined;
    connection.queue = () => false;
    socket.destroy();
  }
}

/**
 * Writes something from time to time that means nothing to the client, while an answer is awaited. `written`: the bytes
 * at the last time.
 */
function probe(connection: Connection, written = -1, [wait, ...rest] = PROBE_MS): void {
  const { socket, responses } = connection;
  const timer = setTimeout(() => {
    const [response] = responses;
    if (!response || socket.destroyed) return;
    const isStill = socket.bytesWritten === written && response.writableLength === 0;
    if (!response.headersSent) {
      // A client of HTTP/1.0 knows no interim responses. Most are proxies, which end both sides together.
      if (response.req.httpVersion === '1.0') socket.destroy();
      else response.writeProcessing();
    } else if (response.getHeader('content-type') === 'text/event-stream') {
      if (response.writableLength === 0) response.write(': \n\n');
    } else if (isStill) socket.destroy();
    probe(connection, socket.bytesWritten, rest);
  }, wait ?? LATER_PROBES_MS);
  timer.unref();
}

/** Bytes that the system has taken: all that were written, except those that still wait. */
function takenBy(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength;
}

/** Requests of one connection. Clients that wait for each answer have one. */
const MOST_REQUESTS = 32;

interface RequestsOf {
  open: number;
  readonly waiting: (() => void)[];
  /** A request has its answer. */
  readonly closed: () => void;
}

/**
 * Limits how many requests of one connection are handled at the same time. One per listener.
 * Requests begin in the order in which they came.
 */
export class RequestQueue {
  readonly #connections = new WeakMap<Socket, RequestsOf>();

  /**
   * Starts the work now, or when an earlier request of the connection has its answer. The work calls `closed` when its
   * own request has one.
   */
  begin(socket: Socket, work: (closed: () => void) => void): void {
    const connection = this.#connections.get(socket) ?? this.#add(socket);
    const start = (): void => {
      connection.open++;
      work(connection.closed);
    };
    if (connection.open < MOST_REQUESTS && connection.waiting.length === 0) return start();
    connection.waiting.push(start);
    // What has been received is read in any case. The rest must wait.
    socket.pause();
  }

  #add(socket: Socket): RequestsOf {
    const connection: RequestsOf = {
      open: 0,
      waiting: [],
      closed: () => {
        connection.open--;
        // In a turn of its own, so that other clients come in between.
        if (connection.waiting.length > 0) setImmediate(() => startNext(socket, connection));
      },
    };
    this.#connections.set(socket, connection);
    return connection;
  }
}

function startNext(socket: Socket, { open, waiting }: RequestsOf): void {
  if (socket.destroyed) waiting.length = 0;
  const start = open < MOST_REQUESTS ? waiting.shift() : undefined;
  start?.();
  // It was paused only if something waited.
  if (start && waiting.length === 0) socket.resume();
}
