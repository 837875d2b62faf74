/** Runs operations as tools of an MCP server. */

import { CallsignError, type Source } from '@callsign/core';

import type { ValueShape } from '../adapter/adapter-document.js';
import { innerCall } from '../protocol/inner-call.js';
import { exactJson, parseExact } from '../protocol/exact-json.js';
import { ProtocolError } from '../protocol/protocol-error.js';
import type { Executor } from '../protocol/executor.js';

interface ToolResult {
  readonly content?: readonly { readonly type?: unknown; readonly text?: unknown }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

export function createToolExecutor(upstream: Source): Executor {
  return async ({ operation, params, signal, call }) => {
    const { name } = operation.mapsTo as { readonly name: string };
    const route = upstream.route('tool', name);
    if (!route) {
      const message = `The server behind this adapter has no tool '${name}'.`;
      throw new ProtocolError('PROTOCOL_INVALID_MAPPING', message);
    }
    const declared = Array.from(operation.params, ([key, param]) => [param.as ?? key, param]);
    const given = [...params].map(([key, value]) => [operation.params.get(key)?.as ?? key, value]);
    const shape: ValueShape = { type: 'object', properties: Object.fromEntries(declared) };
    const inner = innerCall(call, name, exactJson(Object.fromEntries(given), shape));
    signal.addEventListener('abort', () => inner.context.cancel(), { once: true });
    if (signal.aborted) throw new CallsignError('call-cancelled');
    const reply = await route.send(inner);
    const result = JSON.parse(reply.json) as ToolResult & { readonly message?: unknown };
    if (!reply.ok) throw new ProtocolError('UPSTREAM_TOOL_ERROR', said(result.message));
    if (result.isError === true) {
      throw new ProtocolError('UPSTREAM_TOOL_ERROR', said(result.content?.[0]?.text));
    }
    return { data: result.structuredContent ?? plain(result) };
  };
}

/** A single text is returned as text, or as JSON if it is JSON. Everything else keeps its MCP form. */
function plain({ content = [] }: ToolResult): unknown {
  const [only] = content;
  if (content.length !== 1 || only?.type !== 'text' || typeof only.text !== 'string')
    return { content };
  try {
    return parseExact(only.text);
  } catch {
    return only.text;
  }
}

function said(text: unknown): string {
  return typeof text === 'string' ? text.slice(0, 1000) : 'The tool failed.';
}
