/** A real HTTP endpoint that authenticates callers by bearer tokens, and a session with it. */

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import { type AuthInfo, createMcpHandler, McpServer } from '@modelcontextprotocol/server';

import type { ToolServer } from '../server/sdk-server.js';
import { type Session, sessionOf } from './sessions.js';

export interface HttpEndpoint {
  connect(token?: string): Promise<Session>;
  close(): Promise<void>;
}

/** `scopes`: the known tokens, with the scopes of each. */
export async function httpEndpoint(
  register: (server: ToolServer) => void,
  scopes: ReadonlyMap<string, readonly string[]>,
): Promise<HttpEndpoint> {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'harbour', version: '1.0.0' });
    register(server);
    return server;
  });
  const answer = toNodeHandler(handler);
  const http = createServer((request: IncomingMessage & { auth?: AuthInfo }, response) => {
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    const granted = scopes.get(token);
    if (granted) request.auth = { token, clientId: `client of ${token}`, scopes: [...granted] };
    void answer(request as NodeIncomingMessageLike, response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const sessions: Session[] = [];
  return {
    async connect(token) {
      const client = new Client(
        { name: 'harbour', version: '1.0.0' },
        { versionNegotiation: { mode: 'auto' } },
      );
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const url = new URL(`http://127.0.0.1:${port}/mcp`);
      const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
      await client.connect(transport);
      const session = sessionOf(client as never, transport);
      sessions.push(session);
      return session;
    },
    async close() {
      await Promise.all(sessions.map((session) => session.close()));
      const closed = new Promise((resolve) => http.close(resolve));
      http.closeAllConnections();
      await closed;
    },
  };
}

/** A separate endpoint for one session: the stateless era, over a real socket. */
export async function httpSession(register: (server: ToolServer) => void): Promise<Session> {
  const endpoint = await httpEndpoint(register, new Map());
  const session = await endpoint.connect();
  return { ...session, close: () => endpoint.close() };
}
