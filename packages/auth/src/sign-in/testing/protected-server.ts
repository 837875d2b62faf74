/** An MCP server on loopback that requires credentials and records every header. */

import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readAll } from 'node:stream/consumers';

import { onTestFinished } from 'vitest';

export interface ProtectedOptions {
  /** Whether a bearer token, or none, is accepted. */
  readonly isGood: (token: string | undefined) => boolean;
  /** The issuer of tokens. */
  readonly authorizationServer?: string;
  /** The announced address of its metadata, if it is not the real one. */
  readonly metadataUrl?: string;
}

export class ProtectedServer {
  url = '';
  readonly seen: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  readonly #options: ProtectedOptions;

  private constructor(options: ProtectedOptions) {
    this.#options = options;
  }

  static async start(options: ProtectedOptions): Promise<ProtectedServer> {
    const self = new ProtectedServer(options);
    const server = createServer((request, response) => {
      self.#take(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    self.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    return self;
  }

  /** The tokens that were shown, in order. */
  get tokens(): (string | undefined)[] {
    return this.seen.map(({ headers }) => tokenOf(headers));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { authorizationServer, metadataUrl } = this.#options;
    if (request.url?.startsWith('/.well-known/oauth-protected-resource')) {
      const body = { resource: this.url, authorization_servers: [authorizationServer] };
      return send(response, authorizationServer === undefined ? 404 : 200, body);
    }
    const body = await readAll(request);
    this.seen.push({ headers: request.headers, body });
    if (!this.#options.isGood(tokenOf(request.headers))) {
      const own = new URL('/.well-known/oauth-protected-resource/mcp', this.url).href;
      const challenge = `Bearer resource_metadata="${metadataUrl ?? own}"`;
      return send(response, 401, { error: 'invalid_token' }, { 'www-authenticate': challenge });
    }
    if (request.method !== 'POST')
      return send(response, request.method === 'DELETE' ? 200 : 405, {});
    const { id, method, params } = JSON.parse(body) as Record<string, unknown>;
    if (id === undefined) return send(response, 202, {});
    send(response, 200, { jsonrpc: '2.0', id, ...answerTo(String(method), params) });
  }
}

function answerTo(method: string, params: unknown): object {
  switch (method) {
    case 'initialize': {
      const protocolVersion = (params as { protocolVersion: string }).protocolVersion;
      const serverInfo = { name: 'protected', version: '1' };
      return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo } };
    }
    case 'tools/list':
      return { result: { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] } };
    case 'tools/call':
      return { result: { content: [{ type: 'text', text: 'done' }] } };
    default:
      return { error: { code: -32601, message: 'Method not found' } };
  }
}

function tokenOf({ authorization }: IncomingHttpHeaders): string | undefined {
  return /^Bearer (.*)$/.exec(authorization ?? '')?.[1];
}

function send(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(body));
}
