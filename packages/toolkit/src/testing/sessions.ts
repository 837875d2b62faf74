/** Real servers of both SDK versions, each with a real client of its version, behind one interface. */

import { Client } from '@modelcontextprotocol/client';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as LegacyTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as LegacyServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';

import type { ToolServer } from '../server/sdk-server.js';

export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: unknown;
}

export interface Answer {
  readonly isError?: boolean;
  readonly text: string;
  readonly structuredContent?: unknown;
}

export interface Reported {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: Reported) => void;
}

export interface Session {
  list(): Promise<readonly ListedTool[]>;
  call(name: string, args?: Record<string, unknown>, options?: CallOptions): Promise<Answer>;
  close(): Promise<void>;
}

const IDENTITY = { name: 'harbour', version: '1.0.0' };

/** Registers on a new server, connects a client, and returns functions to list and call tools. */
export async function modernSession(register: (server: ToolServer) => void): Promise<Session> {
  const server = new McpServer(IDENTITY);
  register(server);
  const client = new Client(IDENTITY);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  return sessionOf(client as unknown as AnyClient, near);
}

export async function legacySession(register: (server: ToolServer) => void): Promise<Session> {
  const server = new LegacyServer(IDENTITY);
  register(server);
  const client = new LegacyClient(IDENTITY);
  const [near, far] = LegacyTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  const { listTools, callTool, close } = client;
  const face: AnyClient = {
    listTools: listTools.bind(client) as AnyClient['listTools'],
    // Version 1 takes a result schema in between.
    callTool: (params, options) => callTool.call(client, params, undefined, options) as never,
    close: close.bind(client),
  };
  return sessionOf(face, near);
}

interface AnyClient {
  listTools(): Promise<{ tools: readonly ListedTool[] }>;
  callTool(
    params: { name: string; arguments: Record<string, unknown> },
    options: object,
  ): Promise<{
    isError?: boolean;
    content: readonly { text?: string }[];
    structuredContent?: unknown;
  }>;
  close(): Promise<void>;
}

/** The client's side of a connection over any transport. */
export interface Wire {
  onmessage?: unknown;
}

/** Calls of a session come one after the other: their progress is read off the wire. */
export function sessionOf(client: AnyClient, wire: Wire): Session {
  let heard: CallOptions['onprogress'];
  tapProgress(wire, (report) => heard?.(report));
  return {
    // As text, because only text is sent: undefined fields are left out.
    list: async () => JSON.parse(JSON.stringify((await client.listTools()).tools)),
    async call(name, args = {}, { signal, onprogress } = {}) {
      heard = onprogress;
      const { content, isError, structuredContent } = await client.callTool(
        { name, arguments: args },
        { signal, ...(onprogress && { onprogress: () => {} }) },
      );
      return {
        text: content.map(({ text }) => text ?? '').join('\n'),
        ...(isError === undefined ? {} : { isError }),
        ...(structuredContent === undefined ? {} : { structuredContent }),
      };
    },
    close: () => client.close(),
  };
}

/** The SDK's clients lose progress that arrives together with the answer, so the messages are recorded here. */
function tapProgress(wire: Wire, onReport: (report: Reported) => void): void {
  const deliver = wire.onmessage as (message: object, extra: unknown) => void;
  const onmessage = (message: { method?: string; params?: Reported }, extra: unknown) => {
    if (message.method === 'notifications/progress') {
      const { progress, total, message: text } = message.params!;
      onReport({ progress, total, message: text });
    }
    deliver.call(wire, message, extra);
  };
  Object.assign(wire, { onmessage });
}
