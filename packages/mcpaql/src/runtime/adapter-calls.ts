/**
 * Serves an adapter over HTTP without a hub or a server. Generated packages contain this part. The build
 * bundles this file with everything that it imports, so it must not import anything that needs a dependency.
 */

import { Call, type Caller } from '@callsign/core';
import type { Endpoint } from '@callsign/effects';

import type { HttpTarget } from '../adapter/adapter-document.js';
import type { Adapter, Operation, Param } from '../adapter/adapter.js';
import { createAdapterDispatcher } from '../dispatch/adapter-dispatcher.js';
import { createHttpExecutor } from '../execute/http-executor.js';
import { deprecation } from '../protocol/deprecation.js';
import { type Envelope, readEnvelope, type ToolResult } from '../protocol/envelope.js';

export { readAdapter } from './adapter-json.js';
export type { Adapter, Endpoint, Envelope, HttpTarget, Operation, Param, ToolResult };

/** An adapter whose operations are all HTTP requests, and the tools that it is served as. */
export interface ServedAdapter {
  readonly adapter: Adapter & { readonly target: HttpTarget };
  /** The name of each endpoint's tool. */
  readonly toolNames: ReadonlyMap<Endpoint, string>;
  /** All tools by name, old names included. */
  readonly tools: ReadonlyMap<string, ServedTool>;
}

/** Every name leads to one endpoint. */
export interface ServedTool {
  readonly endpoint: Endpoint;
  /** The name that replaces this one, if this is an old name. */
  readonly successor: string | undefined;
}

/** What differs between two installations of the same adapter. */
export interface CallsOptions {
  /** Where credentials are read from. Default: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Replaces the address in the adapter. */
  readonly baseUrl?: string;
  /** The folder that binary answers are saved in. Default: that of the adapter, if it has one. */
  readonly downloads?: string;
}

/** A running adapter. Errors of the API are answers: neither function rejects because of them. */
export interface AdapterCalls {
  /** Answers `tools/call`. `meta`: the `_meta` of the request. Resolves to `undefined` for an unknown tool. */
  callTool(
    name: string,
    args: unknown,
    signal?: AbortSignal,
    meta?: object,
  ): Promise<ToolResult | undefined>;
  /** Runs one operation and returns its envelope. */
  run(operation: string, params: unknown, signal?: AbortSignal): Promise<Envelope>;
  /** Closes all connections. */
  close(): Promise<void>;
}

/** All calls come from one caller, so a confirmation token of one call is valid in the next. */
const CALLER: Caller = {
  id: '',
  era: 'session',
  client: { name: '', version: '' },
  capabilities: '{}',
  can: () => false,
};

/** Reads credentials for each request, so a changed variable counts without a restart. */
export function createAdapterCalls(
  { adapter, toolNames, tools }: ServedAdapter,
  { env = process.env, ...options }: CallsOptions = {},
): AdapterCalls {
  const { execute, close } = createHttpExecutor(adapter, { ...options, env });
  const dispatch = createAdapterDispatcher(adapter, toolNames, execute);

  async function callTool(
    name: string,
    args: unknown,
    signal?: AbortSignal,
    meta?: object,
  ): Promise<ToolResult | undefined> {
    const tool = tools.get(name);
    if (!tool) return undefined;
    const notices = deprecation(name, tool.successor);
    const { json } = await dispatch(tool.endpoint, callOf(name, args, signal, meta), notices);
    return JSON.parse(json) as ToolResult;
  }

  return {
    callTool,
    async run(operation, params, signal) {
      const endpoint = adapter.operations.get(operation)?.endpoint ?? 'read';
      const name = toolNames.get(endpoint)!;
      const { json } = await dispatch(endpoint, callOf(name, { operation, params }, signal));
      return readEnvelope(JSON.parse(json) as ToolResult);
    },
    close,
  };
}

function callOf(name: string, args: unknown, signal: AbortSignal | undefined, meta = {}): Call {
  const call = new Call({
    method: 'tools/call',
    params: JSON.stringify({ arguments: args ?? {}, _meta: meta }),
    name,
    nameStart: -1,
    nameEnd: -1,
    tokenStart: -1,
    tokenEnd: -1,
    caller: CALLER,
  });
  if (signal?.aborted) call.context.cancel();
  signal?.addEventListener('abort', () => call.context.cancel(), { once: true });
  return call;
}
