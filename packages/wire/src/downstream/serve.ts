/** Serving turns one source into an MCP server, on standard input and output or over HTTP. */

import type { Readable, Writable } from 'node:stream';

import type { Source } from '@callsign/core';

import { PendingCalls } from './pending-calls.js';
import { HttpListener, type HttpListenerOptions } from './http/http-listener.js';
import { openStdioListener, type StdioListener } from './stdio-listener.js';
import { createServedSource, type ServeOptions } from './served-source.js';

interface ServeStdioOptions {
  /** Default: standard input and output. */
  readonly input?: Readable;
  readonly output?: Writable;
  readonly maxMessageBytes?: number;
}

/** Only the port is needed. Without a host it listens on the loopback interface. */
export type ServeHttpOptions = Pick<HttpListenerOptions, 'port'> &
  Partial<Omit<HttpListenerOptions, 'served' | 'pending' | 'port'>>;

/** Both may be used for one source at the same time. */
export interface Served {
  /** Serves one client on a pair of streams. */
  stdio(options?: ServeStdioOptions): StdioListener;
  /** Serves any number of clients at `/mcp`. Call `listen` on the result. */
  http(options: ServeHttpOptions): HttpListener;
}

const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Accepts any source: a server, an adapter, a hub of many, or a view of any of them. */
export function serve(source: Source, options: ServeOptions): Served {
  const served = createServedSource(source, options);
  const pending = new PendingCalls();
  return {
    stdio: ({ input, output, maxMessageBytes = MAX_MESSAGE_BYTES } = {}) =>
      openStdioListener({
        served,
        pending,
        input: input ?? process.stdin,
        output: output ?? process.stdout,
        maxMessageBytes,
      }),
    http: (http) =>
      new HttpListener({
        host: '127.0.0.1',
        maxBodyBytes: MAX_BODY_BYTES,
        viewOf: () => undefined,
        health: () => ({ status: 'ok' }),
        ...http,
        served,
        pending,
      }),
  };
}
