/** Translates a call and its answer if client and server speak different eras. */

import { CallsignError, memberText, membersOf, taskSupportOf } from '@callsign/core';
import { withMembers, withoutMembers } from '@callsign/core';
import type { Call, Reply } from '@callsign/core';

import { TASKS_EXTENSION, untilComplete, withoutTasks } from '@callsign/extensions';
import { META, MISSING_CAPABILITY, NEWEST_SESSION, NEWEST_STATELESS, replyOf } from '@callsign/rpc';
import type { Connection } from './connection.js';

/** Adds what a stateless server needs in every request: the client information of the session. */
function withEnvelope(call: Call): (params: string) => string {
  const { client } = call.caller;
  const declared = call.caller.capabilities;
  // Without tasks: a task of the server would have the form of the other era.
  const capabilities = declared.includes(TASKS_EXTENSION) ? withoutTasks(declared) : declared;
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
 * client and sends the call again with the answers.
 */
export async function forwardWithQuestions(
  connection: Connection,
  call: Call,
  nameJson: string | undefined,
): Promise<Reply> {
  const envelope = withEnvelope(call);
  const reply = await untilComplete(call, (answers) =>
    connection.forward(call, nameJson, (params) => withMembers(envelope(params), answers)),
  );
  const isTaskOnly =
    !reply.ok &&
    memberText(reply.json, 'code') === String(MISSING_CAPABILITY) &&
    reply.json.includes(TASKS_EXTENSION);
  return isTaskOnly ? taskOnly(call, NEWEST_STATELESS) : withoutEraFields(reply);
}

/** The error for a tool that runs only as a task: tasks do not cross between the eras. */
function taskOnly({ target, name }: Call, version: string): Reply {
  const advice = `Use a client of protocol ${version}.`;
  return replyOf(new CallsignError('task-only', { tool: target?.canonical ?? name, advice }));
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
  const { target, method } = call;
  if (target && method === 'tools/call' && taskSupportOf(target.item.json) === 'required') {
    return Promise.resolve(taskOnly(call, NEWEST_SESSION));
  }
  const isResumed =
    call.params.includes('"requestState"') && memberText(call.params, 'requestState');
  return isResumed
    ? Promise.resolve(replyOf(new CallsignError('request-state-invalid')))
    : connection.forward(call, nameJson);
}
