/** A call to a tool by the operator, governed like the call of any client. */

import { randomUUID } from 'node:crypto';

import { Call, CallContext, CallsignError, spansIn, type Caller, type Reply } from '@callsign/core';

import type { Gateway } from '../gateway/gateway.js';
import type { AdminCaller } from './admin-caller.js';
import type { CallResult } from './admin-data.js';
import { requireTool } from './admin-tools.js';

export interface AdminCallOptions {
  readonly caller: AdminCaller;
  /** The client that records and rules see. */
  readonly client: string;
  /** Cancels the call. */
  readonly signal: AbortSignal;
}

const MAX_REPLY = 1024 * 1024;

/** `args`: the arguments as JSON text. */
export async function callTool(
  gateway: Gateway,
  name: string,
  args: string,
  { caller, client, signal }: AdminCallOptions,
): Promise<CallResult> {
  const { canonical } = requireTool(gateway, name);
  const view = gateway.viewFor(undefined, caller.principal);
  const route = view.route('tool', canonical);
  const context = new CallContext();
  signal.addEventListener('abort', () => context.cancel('The page was closed.'), { once: true });
  const params = `{"name":${JSON.stringify(canonical)},"arguments":${args}}`;
  const by: Caller = {
    id: randomUUID(),
    era: 'session',
    client: { name: client, version: '' },
    ...(caller.principal ? { principal: caller.principal } : {}),
    capabilities: '{}',
    can: () => false,
  };
  const call = new Call({
    method: 'tools/call',
    params,
    name: canonical,
    caller: by,
    context,
    ...spansIn(params),
  });
  const start = performance.now();
  const reply = route
    ? await route.send(call).catch(asReply)
    : asReply(new CallsignError('access-denied', { caller: 'Your key', tool: canonical }));
  return resultOf(reply, Math.round(performance.now() - start));
}

function resultOf({ ok, json }: Reply, ms: number): CallResult {
  if (json.length > MAX_REPLY) return { ok, reply: null, ms, left: json.length };
  return { ok, reply: JSON.parse(json) as unknown, ms };
}

function asReply(error: unknown): Reply {
  if (!(error instanceof CallsignError)) throw error;
  const { code, message } = error;
  return { ok: false, json: JSON.stringify({ code: -32_000, message, data: { code } }) };
}
