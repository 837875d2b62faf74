/** A listener, and requests that are sent to it as raw bytes. */

import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { hub, NOTHING, resultOf, type Call, type Reply, type Source } from '@callsign/core';
import { onTestFinished } from 'vitest';

import { META } from '../../../rpc/message/protocol.js';
import { serve, type ServeHttpOptions } from '../../serve.js';

export interface RawListener {
  readonly port: number;
  /** Calls of `hang`, and which of them were cancelled. */
  readonly hanging: { readonly cancelled: string[]; calls: number };
}

export async function openListener(options: Partial<ServeHttpOptions> = {}): Promise<RawListener> {
  const hanging = { cancelled: [] as string[], calls: 0 };
  const listener = serve(hub({ s: sourceOf(hanging) }), {
    self: { name: 'gateway', version: '1' },
  }).http({ port: 0, ...options });
  onTestFinished(() => listener.close());
  return { port: await listener.listen(), hanging };
}

function sourceOf(hanging: { readonly cancelled: string[]; calls: number }): Source {
  const tools: Readonly<Record<string, (call: Call) => Promise<Reply>>> = {
    echo: async ({ params }) => text(params),
    long: async () => text('ä'.repeat(200_000)),
    chatty: async ({ context }) => {
      const params = '{"progressToken":"t","progress":1}';
      context.progress?.(params, params.indexOf('"t"'), params.indexOf('"t"') + 3);
      return text('done');
    },
    slow: async () => {
      await sleep(700);
      return text('done');
    },
    slow_chat: async (call) => {
      const answer = await tools['chatty']!(call);
      await sleep(700);
      return answer;
    },
    hang: ({ context }) => {
      hanging.calls++;
      return new Promise(() => {
        context.onCancel((reason) => hanging.cancelled.push(reason ?? 'no reason'));
      });
    },
  };
  return {
    offer: {
      ...NOTHING,
      tool: Object.keys(tools).map((name) => ({
        name,
        json: JSON.stringify({ name, inputSchema: { type: 'object' } }),
      })),
    },
    route: (kind, name) => (kind === 'tool' && tools[name] ? { send: tools[name] } : undefined),
    subscribe: () => () => undefined,
    tell: () => undefined,
  };
}

function text(said: string): Reply {
  return resultOf({ content: [{ type: 'text', text: said }] });
}

/** A stateless call, so that no session is needed. */
export function callOf(tool: string, args: object = {}): string {
  const meta = {
    [META.protocolVersion]: '2026-07-28',
    [META.clientInfo]: { name: 'test', version: '1' },
    [META.clientCapabilities]: {},
    progressToken: 't',
  };
  const params = { name: `s:${tool}`, arguments: args, _meta: meta };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
}

/** The usual request with this body; `headers` may replace its headers, or add some. */
export function requestOf(body: string, headers: Readonly<Record<string, string>> = {}): string {
  const name = /"name":"([^"]*)"/.exec(body)?.[1] ?? '';
  const all = {
    Host: '127.0.0.1',
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': 'tools/call',
    'Mcp-Name': name,
    'Content-Length': String(Buffer.byteLength(body)),
    ...headers,
  };
  const lines = Object.entries(all).map(([key, value]) => `${key}: ${value}\r\n`);
  return `POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

export function open(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** After this time without a byte there is no answer, or the connection stays open. */
const NO_ANSWER_MS = 1_500;
/** After this time without a byte the answer is complete. */
const QUIET_MS = 100;

/** Sends chunks one after another, and reads until nothing comes for a while. */
export async function answerTo(
  port: number,
  chunks: readonly (string | Buffer)[],
): Promise<string> {
  const socket = open(port);
  const received: Buffer[] = [];
  let last = performance.now();
  socket.on('data', (chunk) => {
    received.push(chunk);
    last = performance.now();
  });
  socket.on('error', () => undefined);
  const closed = new Promise<boolean>((resolve) => socket.once('close', () => resolve(true)));
  for (const chunk of chunks) {
    socket.write(chunk);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  const answer = (): string => Buffer.concat(received).toString();
  const patience = (): number =>
    received.length === 0 || /^connection: close/im.test(answer()) ? NO_ANSWER_MS : QUIET_MS;
  let isClosed = false;
  while (!isClosed && performance.now() - last < patience()) {
    const pause = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 20));
    isClosed = await Promise.race([closed, pause]);
  }
  socket.destroy();
  return answer().replaceAll(/^Date: .*$/gm, 'Date: now') + (isClosed ? '(closed)' : '');
}
