/** Requests about tasks, as calls to the server of the task with the server's own id. */

import {
  Call,
  type CallContext,
  type Caller,
  CallsignError,
  membersOf,
  type Reply,
  type Route,
  type Source,
  type Target,
  withMembers,
} from '@callsign/core';
import { canonicalName, type ToolRef } from '@callsign/naming';

import { META, NEWEST_STATELESS } from '../../rpc/message/protocol.js';
import { replyOf } from '../../rpc/message/rpc-error.js';
import { TASKS_EXTENSION } from '../capabilities/extension-capabilities.js';
import type { ExtensionRequest } from '../request/extension-request.js';
import { foundWhileStarting } from '../request/while-starting.js';

const NO_SPANS = { nameStart: -1, nameEnd: -1, tokenStart: -1, tokenEnd: -1 };

/** The call to send, or the error reply. */
export type PreparedTask =
  | { readonly call: Call; readonly route: Route }
  | { readonly reply: Reply };

/** A request about a task. */
export interface TaskCallOptions {
  readonly request: Pick<ExtensionRequest, 'method' | 'params' | 'caller'>;
  readonly target?: Target | undefined;
  readonly context?: CallContext | undefined;
  /** The server's id. Missing if the parameters stay the same. */
  readonly taskId?: string;
}

/** The call that carries a request about a task to its server. */
export function taskCall({ request, target, context, taskId }: TaskCallOptions): Call {
  const { method, caller } = request;
  const params =
    taskId === undefined
      ? request.params
      : withMembers(request.params, { taskId: JSON.stringify(taskId) });
  return new Call({
    ...NO_SPANS,
    ...tokenIn(params),
    method,
    params,
    name: taskId ?? '',
    caller,
    target,
    ...(context ? { context } : {}),
  });
}

/** The parameters of a request that the gateway makes itself, on behalf of the caller of a task. */
export function ownTaskParams(taskId: string, { era, client }: Caller): string {
  if (era === 'session') return JSON.stringify({ taskId });
  const meta = {
    [META.protocolVersion]: NEWEST_STATELESS,
    [META.clientCapabilities]: { extensions: { [TASKS_EXTENSION]: {} } },
    [META.clientInfo]: client,
  };
  return JSON.stringify({ taskId, _meta: meta });
}

function tokenIn(params: string): { readonly tokenStart: number; readonly tokenEnd: number } {
  const meta = membersOf(params)?.get('_meta');
  const token = meta && membersOf(params.slice(meta.start, meta.end))?.get('progressToken');
  if (!meta || !token) return { tokenStart: -1, tokenEnd: -1 };
  return { tokenStart: meta.start + token.start, tokenEnd: meta.start + token.end };
}

/** The route to the tool that was called, if the caller may still see it. */
export function toolRoute(view: Source, { server, tool }: ToolRef): Route | undefined {
  const name = server === '' ? tool : canonicalName({ server, tool });
  return view.route('tool', name) ?? view.behind?.(name);
}

/** `toolRoute`, while its server may still be starting. */
export async function toolRouteLater(
  { view, starting, context }: Pick<ExtensionRequest, 'view' | 'starting' | 'context'>,
  ref: ToolRef,
): Promise<Route | undefined> {
  const find = (): Route | 'cancelled' | undefined =>
    context?.isCancelled ? 'cancelled' : toolRoute(view, ref);
  const found = await foundWhileStarting(() => view, starting, find);
  return found === 'cancelled' ? undefined : found;
}

/**
 * Sends a request to the server of a task. A server that is gone is reported as an unknown method.
 */
export function relayTask(source: Source, server: string, call: Call): Promise<Reply> {
  return (
    source.relay?.(server, call) ??
    Promise.resolve(replyOf(new CallsignError('method-not-found', { method: call.method })))
  );
}
