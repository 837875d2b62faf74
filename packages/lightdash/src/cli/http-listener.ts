/** Serves Streamable HTTP, in both protocol eras, to callers with the key. */

import { createHash, timingSafeEqual } from 'node:crypto';
import {
  createServer,
  type Server,
  type ServerResponse,
  type IncomingHttpHeaders,
} from 'node:http';
import type { AddressInfo } from 'node:net';

import { hostHeaderValidation, originValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type McpServerFactory } from '@modelcontextprotocol/server';

import type { HttpAddress } from './command-options.js';

export interface HttpListener {
  readonly url: string;
  close(): Promise<void>;
}

export interface HttpListenerOptions extends HttpAddress {
  readonly key: string | undefined;
  readonly onError: (error: Error) => void;
}

const PATH = '/mcp';

export async function openHttpListener(
  createMcpServer: McpServerFactory,
  { host, port, key, onError }: HttpListenerOptions,
): Promise<HttpListener> {
  // A web page can make a browser call this server. The headers Host and Origin reveal it.
  const names = ['localhost', '127.0.0.1', '[::1]', host];
  const isMeantForUs = hostHeaderValidation(names);
  const isFromHere = originValidation(names);
  const knowsKey = createKeyCheck(key);
  const mcp = createMcpHandler(createMcpServer, { onerror: onError });
  const serve = toNodeHandler(mcp, { onerror: onError });
  const server = createServer((request, response) => {
    if (!isMeantForUs(request, response) || !isFromHere(request, response)) return;
    if (request.url?.split('?')[0] !== PATH) {
      return refuse(response, 404, `There is nothing here. MCP is served at ${PATH}.`);
    }
    if (!knowsKey(request.headers)) {
      response.setHeader('WWW-Authenticate', 'Bearer');
      return refuse(response, 401, 'Send the key of this server as a bearer token.');
    }
    // The cast is for the types alone: those of the SDK allow no undefined properties.
    void serve(request as Parameters<typeof serve>[0], response);
  });
  await listening(server, host, port);
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${actual}${PATH}`,
    async close() {
      await mcp.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => {
      const advice = 'Choose another port, or an address of this machine.';
      reject(new Error(`--http ${host}:${port} cannot be opened (${code}). ${advice}`));
    });
    // IPv6 addresses are written in brackets everywhere except here.
    server.listen(port, host.replace(/^\[|\]$/g, ''), resolve);
  });
}

function refuse(response: ServerResponse, status: number, error: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify({ error }));
}

/** Checks a caller's key in constant time, so that the time reveals nothing about it. */
type KeyCheck = (headers: IncomingHttpHeaders) => boolean;

/** Accepts the key as a bearer token or as `X-API-Key`. Without a key all callers are allowed. */
function createKeyCheck(key: string | undefined): KeyCheck {
  if (key === undefined) return () => true;
  const expected = digest(key);
  return function knowsKey(headers) {
    const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
    const sent = bearer ?? headers['x-api-key'] ?? '';
    return timingSafeEqual(digest(String(sent)), expected);
  };
}

/** Hashed to one length, so that the time does not reveal the length either. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
