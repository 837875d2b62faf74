/** A call to a tool from a page, governed like the call of any client. */

import { CallsignError } from '@callsign/core';

import type { Gateway } from '../../gateway/gateway.js';
import type { CallResult } from '../data/admin-data.js';
import type { AdminCaller } from '../router/admin-caller.js';
import { requireTool } from './admin-tools.js';
import { callTool, type ToolCallClient } from './call-tool.js';

export interface TryRequest {
  readonly name: string;
  /** The arguments as JSON text. */
  readonly args: string;
  readonly caller: AdminCaller;
}

/** The client name for records and rules. */
const CLIENT = { name: 'callsign-console', version: '' };
const MAX_REPLY = 1024 * 1024;

/** A page shows waiting calls on another screen, and does not show questions of the server. */
const SILENT_CLIENT: ToolCallClient = {
  progress: () => undefined,
  waiting: () => undefined,
  ask: () => Promise.reject(new Error('A page cannot answer questions of a server.')),
};

export async function tryTool(
  gateway: Gateway,
  { name, args, caller: { principal } }: TryRequest,
  signal: AbortSignal,
): Promise<CallResult> {
  const { canonical } = requireTool(gateway, name);
  const how = { client: CLIENT, principal, canAsk: false, isApproved: false };
  const start = performance.now();
  const answer =
    (await callTool(
      gateway,
      { name: canonical, canonical, args, ...how },
      SILENT_CLIENT,
      signal,
    )) ?? refusal(canonical);
  const ms = Math.round(performance.now() - start);
  const { ok, json } = answer;
  return { ok, ...(json.length > MAX_REPLY ? {} : { json }), ms, length: json.length };
}

/** The answer if the view of this caller lacks a tool that exists: the caller may not use it. */
function refusal(tool: string): { readonly ok: false; readonly json: string } {
  const { code, message } = new CallsignError('access-denied', { caller: 'Your key', tool });
  return { ok: false, json: JSON.stringify({ code: -32_000, message, data: { code } }) };
}
