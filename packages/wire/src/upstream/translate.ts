/** Translates a call and its answer if client and server speak different eras. */

import {
  type Call,
  CallsignError,
  membersOf,
  memberText,
  type Reply,
  taskSupportOf,
  withMembers,
  withoutMembers,
} from '@callsign/core';

import {
  TASKS_EXTENSION,
  withoutTasks,
} from '../extensions/capabilities/extension-capabilities.js';
import { untilComplete } from '../extensions/request/input-required.js';
import { endOfSessionTask, endOfStatelessTask } from '../extensions/tasks/other-era-task.js';
import { taskCall } from '../extensions/tasks/task-call.js';
import { Tasks } from '../extensions/tasks/tasks.js';
import { META, NEWEST_STATELESS } from '../rpc/message/protocol.js';
import { MISSING_CAPABILITY, replyOf } from '../rpc/message/rpc-error.js';
import type { Connection } from './connection.js';

/** How long a server may take to answer a request about a task. */
const TASK_MS = 30_000;

/** Adds what a stateless server needs in every request: the client information of the session. */
function withEnvelope({ caller }: Call, declaresTasks: boolean): (params: string) => string {
  const { client, capabilities: declared } = caller;
  const plain = declared.includes(TASKS_EXTENSION) ? withoutTasks(declared) : declared;
  const extensions = memberText(plain, 'extensions') ?? '{}';
  const capabilities = declaresTasks
    ? withMembers(plain, { extensions: withMembers(extensions, { [TASKS_EXTENSION]: '{}' }) })
    : plain;
  return (params) => {
    const meta = memberText(params, '_meta');
    return withMembers(params, {
      _meta: withMembers(meta?.startsWith('{') ? meta : '{}', {
        [META.protocolVersion]: JSON.stringify(NEWEST_STATELESS),
        [META.clientCapabilities]: capabilities,
        [META.clientInfo]: JSON.stringify(client),
      }),
    });
  };
}

/** Leaves out the server's identity, since the client talks to the gateway. */
export function withoutServerInfo(reply: Reply): Reply {
  const { ok, json } = reply;
  if (!ok || !json.includes(META.serverInfo)) return reply;
  const members = membersOf(json);
  const range = members?.get('_meta');
  const meta = range && json.slice(range.start, range.end);
  if (!meta?.startsWith('{')) return reply;
  const rest = withoutMembers(meta, [META.serverInfo]);
  // Most results have nothing else there.
  return rest === '{}'
    ? { ok, json: withoutMembers(json, ['_meta'], members) }
    : { ok, json: withMembers(json, { _meta: rest }, members) };
}

/** A result without the fields of the stateless era. */
function withoutEraFields(reply: Reply): Reply {
  if (!reply.ok) return reply;
  const plain = withoutServerInfo(reply).json;
  const rest = withoutMembers(plain, ['resultType', 'ttlMs', 'cacheScope']);
  return {
    ok: true,
    json: memberText(rest, '_meta') === '{}' ? withoutMembers(rest, ['_meta']) : rest,
  };
}

/**
 * Sends a session's call to a stateless server. If the server answers with questions, it asks the
 * client and sends the call again with the answers. If the server creates a task, the reply is its
 * end.
 */
export async function forwardWithQuestions(
  connection: Connection,
  call: Call,
  nameJson: string | undefined,
): Promise<Reply> {
  const isAsked = Tasks.isFor(call);
  const plain = (params: string): string => (isAsked ? withoutMembers(params, ['task']) : params);
  const forward = (declaresTasks: boolean): Promise<Reply> => {
    const envelope = withEnvelope(call, declaresTasks);
    return untilComplete(call, (answers) =>
      connection.forward(call, nameJson, (params) => withMembers(envelope(plain(params)), answers)),
    );
  };
  const first = await forward(isAsked);
  // The server has not begun: it runs the tool only as a task.
  const isTaskOnly =
    !first.ok &&
    memberText(first.json, 'code') === String(MISSING_CAPABILITY) &&
    first.json.includes(TASKS_EXTENSION);
  const reply = isTaskOnly && !isAsked ? await forward(true) : first;
  const request = requests(connection, call, withEnvelope(call, true));
  const ended = await endOfStatelessTask({ call, reply, params: '{}', request });
  return withoutEraFields(ended);
}

/** Requests about the task of a call, on behalf of its caller. */
function requests(
  connection: Connection,
  call: Call,
  envelope: (params: string) => string,
): (method: string, members: Readonly<Record<string, string>>) => Promise<Reply> {
  return (method, members) => {
    const params = call.with({ params: withMembers('{}', members) }).paramsWith(undefined, '0');
    return connection.request(method, envelope(params), TASK_MS).catch(replyOf);
  };
}

/**
 * Sends a stateless call to a server with sessions. Such a server never gives out a `requestState`.
 * One that comes back is out of date or not ours, so the call must not start again with it.
 */
export function forwardToSession(
  connection: Connection,
  call: Call,
  nameJson: string | undefined,
): Promise<Reply> {
  const isResumed =
    call.params.includes('"requestState"') && memberText(call.params, 'requestState');
  if (isResumed) return Promise.resolve(replyOf(new CallsignError('request-state-invalid')));
  return runsAsTask(call)
    ? forwardAsTask(connection, call, nameJson)
    : connection.forward(call, nameJson);
}

/** Asks a server with sessions for a task. The reply is the end of the task. */
async function forwardAsTask(
  connection: Connection,
  call: Call,
  nameJson: string | undefined,
): Promise<Reply> {
  const task = '{"task":{}}';
  const reply = await connection.forward(call, nameJson, (params) =>
    withMembers(params, { task: '{}' }),
  );
  const request = requests(connection, call, (params) => params);
  return endOfSessionTask({ call, reply, params: task, request }, (id) => {
    const { caller, context, target, carried } = call;
    const asked = { method: 'tasks/result', params: `{"taskId":${id}}`, caller };
    const waiting = taskCall({ request: asked, target, context });
    return connection.forward(waiting.with({ carried }), undefined);
  });
}

/** A tool that can be a task is one if it must be, or if the client can have tasks. */
function runsAsTask({ method, target, context }: Call): boolean {
  const support = method === 'tools/call' && target ? taskSupportOf(target.item.json) : undefined;
  return support === 'required' || (support === 'optional' && context.onLasting !== undefined);
}
