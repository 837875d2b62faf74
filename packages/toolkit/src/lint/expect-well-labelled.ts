/** For your own tests: lints the tools of a live server and throws all findings as one error. */

import { lintAnnotations } from '@callsign/effects';
import { type Finding, lintNames } from '@callsign/naming';
import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/server';

import type { Channel } from './channel.js';
import { childChannel, type ServerCommand } from './child-channel.js';
import { allPages, listTools } from './list-tools.js';

/** A server of the SDK in this process, not connected yet. */
export interface InProcessServer {
  connect(transport: never): Promise<void>;
  close(): Promise<void>;
  isConnected?(): boolean;
}

/** A client of the SDK that is connected to the server. */
export interface ConnectedClient {
  listTools(params?: { cursor?: string }): Promise<unknown>;
}

/** The options of `expectWellLabelled`. */
export interface LabelExpectations {
  /** Ids of rules to ignore. */
  readonly ignore?: readonly string[] | undefined;
  /** The server's key in clients. Some clients count it as part of a name. */
  readonly key?: string | undefined;
  /** How long the server may take to list its tools; a connected client keeps its own time. */
  readonly timeoutMs?: number | undefined;
}

/** The message says what is wrong, tool by tool. `findings` is the same for programs. */
export class LabelError extends Error {
  override readonly name = 'LabelError';
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[]) {
    const count = findings.length === 1 ? 'One finding' : `${findings.length} findings`;
    super([`${count} about the tools of this server:`, ...findings.map(asLine)].join('\n'));
    this.findings = findings;
  }
}

/** One line for one finding, for any tool name. */
function asLine({ severity, rule, tool, message, fix }: Finding): string {
  const line = `${tool || '(a tool without a name)'}: ${message} ${fix} (${severity}, ${rule})`;
  return `- ${line.replace(/\p{Cc}/gu, '\uFFFD')}`;
}

/**
 * Lists the tools of a server, which may be an `McpServer` of this process, a connected client, or a command
 * to start, and throws a `LabelError` if a linter finds anything. A server without tools is an error too.
 */
export async function expectWellLabelled(
  subject: InProcessServer | ConnectedClient | ServerCommand,
  { ignore = [], key, timeoutMs = 30_000 }: LabelExpectations = {},
): Promise<void> {
  const tools = await toolsOf(subject, timeoutMs);
  if (tools.length === 0) throw new Error('The server lists no tools, so none was checked.');
  const findings = [
    ...lintNames(tools, key === undefined ? {} : { key }),
    ...lintAnnotations(tools),
  ]
    .filter(({ rule }) => !ignore.includes(rule))
    .toSorted((a, b) => (a.tool < b.tool ? -1 : Number(a.tool > b.tool)));
  if (findings.length > 0) throw new LabelError(findings);
}

async function toolsOf(
  subject: InProcessServer | ConnectedClient | ServerCommand,
  timeoutMs: number,
): Promise<unknown[]> {
  if ('listTools' in subject) {
    return allPages((cursor) => subject.listTools(cursor === undefined ? {} : { cursor }));
  }
  const channel = 'command' in subject ? childChannel(subject) : await memoryChannel(subject);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const error = new Error(`The server did not list its tools within ${timeoutMs} ms.`);
    timer = setTimeout(reject, timeoutMs, error);
  });
  try {
    return await Promise.race([listTools(channel), late]);
  } finally {
    clearTimeout(timer);
    await channel.close();
  }
}

async function memoryChannel(server: InProcessServer): Promise<Channel> {
  if (server.isConnected?.() === true) {
    throw new Error(
      'The server is connected already. Check it before it is connected, or pass a connected client.',
    );
  }
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far as never);
  await near.start();
  return {
    listen(onMessage) {
      Object.assign(near, { onmessage: onMessage });
    },
    send: (message) => near.send(message as JSONRPCMessage),
    close: () => server.close(),
  };
}
