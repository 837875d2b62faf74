/**
 * An HTTP listener with authentication, over a source that reports the caller. Both end with the
 * test.
 */

import { Hub, NOTHING, resultOf, View, type Call, type Reply, type Source } from '@callsign/core';
import { CANONICAL } from '@callsign/naming';
import { onTestFinished } from 'vitest';

import { META } from '../../../rpc/message/protocol.js';
import { PendingCalls } from '../../pending-calls.js';
import { createServedSource } from '../../served-source.js';
import type { Authenticate } from '../authenticate.js';
import { HttpListener, type HttpListenerOptions } from '../http-listener.js';

/** `whoami` reports the caller; `confirm` asks a question first. */
const SOURCE: Source = {
  offer: {
    ...NOTHING,
    tool: ['whoami', 'confirm'].map((name) => ({
      name,
      json: JSON.stringify({ name, inputSchema: { type: 'object' } }),
    })),
  },
  route: (kind, name) =>
    kind === 'tool' ? { send: name === 'confirm' ? confirm : whoami } : undefined,
  subscribe: () => () => undefined,
  tell: () => undefined,
};

async function whoami({ caller }: Call): Promise<Reply> {
  const { principal = null, id } = caller;
  return resultOf({ content: [{ type: 'text', text: JSON.stringify({ principal, id }) }] });
}

async function confirm(call: Call): Promise<Reply> {
  const requestedSchema = { type: 'object', properties: {} };
  const params = JSON.stringify({ message: 'Sure?', requestedSchema });
  const { ok } = await call.context.ask!({ method: 'elicitation/create', params });
  return resultOf({ content: [{ type: 'text', text: `asked ${ok}` }] });
}

/** Accepts `Bearer NAME` and `Bearer NAME/ROLE/ROLE`. */
export function byName({ headers }: Parameters<Authenticate>[0]): ReturnType<Authenticate> {
  const said = /^Bearer (\w+(?:\/\w+)*)$/.exec(headers.authorization ?? '')?.[1];
  if (said === undefined) return { status: 401, challenge: 'Bearer', message: 'Who is it?' };
  const [name = '', ...roles] = said.split('/');
  return { name, roles };
}

export async function openGuarded(options: Partial<HttpListenerOptions> = {}): Promise<string> {
  const hub = new Hub();
  hub.set('s', SOURCE);
  const view = new View(hub, { profile: CANONICAL });
  const listener = new HttpListener({
    host: '127.0.0.1',
    port: 0,
    served: createServedSource(view, { self: { name: 'callsign', version: '0' } }),
    pending: new PendingCalls(),
    maxBodyBytes: 1_000_000,
    viewOf: (profile) => (profile === 'canonical' ? view : undefined),
    health: () => ({ status: 'ok' }),
    authenticate: byName,
    ...options,
  });
  onTestFinished(() => listener.close());
  return `http://127.0.0.1:${await listener.listen()}`;
}

/** One request, with an optional credential. */
export function request(
  url: string,
  who: string | undefined,
  { method = 'POST', message, headers = {} }: RequestOptions = {},
): Promise<Response> {
  return fetch(url, {
    method,
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(who === undefined ? {} : { authorization: `Bearer ${who}` }),
      ...headers,
    },
    ...(message === undefined ? {} : { body: JSON.stringify({ jsonrpc: '2.0', ...message }) }),
  });
}

export interface RequestOptions {
  readonly method?: string;
  readonly message?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export const INITIALIZE = {
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
};

/** Opens a session and returns its id. */
export async function openSession(url: string, who: string): Promise<string> {
  const response = await request(url, who, { message: INITIALIZE });
  await response.text();
  const id = response.headers.get('mcp-session-id')!;
  const headers = { 'mcp-session-id': id };
  await request(url, who, { message: { method: 'notifications/initialized' }, headers });
  return id;
}

/** A stateless call. */
export async function statelessCall(
  url: string,
  who: string,
  name: string,
  more: object = {},
): Promise<Record<string, unknown>> {
  const meta = {
    [META.protocolVersion]: '2026-07-28',
    [META.clientCapabilities]: { elicitation: { form: {} } },
    [META.clientInfo]: { name: 'test', version: '1' },
  };
  const response = await request(url, who, {
    message: { id: 7, method: 'tools/call', params: { name, arguments: {}, _meta: meta, ...more } },
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
  });
  return (await response.json()) as Record<string, unknown>;
}

/** The principal and the id that `whoami` saw. */
export function callerIn(answer: unknown): { readonly principal: unknown; readonly id: string } {
  const { result } = answer as { result: { content: readonly { text: string }[] } };
  return JSON.parse(result.content[0]!.text) as { principal: unknown; id: string };
}
