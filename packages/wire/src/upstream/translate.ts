/** Translates a call and its answer if client and server do not speak the same era. */

import { CallsignError, memberText, membersOf, withMembers, withoutMembers } from '@callsign/core';
import type { Call, Question, Reply } from '@callsign/core';

import { META, NEWEST_STATELESS, replyOf } from '@callsign/rpc';
import type { Connection } from './connection.js';

/** A call with more rounds of questions is treated as endless. */
const MAX_ROUNDS = 10;

/** The envelope of a session's client, for a server that needs it in every request. */
function withEnvelope(call: Call): (params: string) => string {
  const { capabilities, client } = call.caller;
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

/** The server's identity is left out: the client talks to us. */
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
 * Sends a session's call to a stateless server. If the server answers with questions, the client is asked, and
 * the call is sent again with the answers.
 */
export async function forwardWithQuestions(
  connection: Connection,
  call: Call,
  nameJson: string | undefined,
): Promise<Reply> {
  const envelope = withEnvelope(call);
  let answers: Record<string, string> = {};
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const given = answers;
    // Time has passed while the client answered.
    if (round > 0) await call.context.recheck?.();
    const reply = await connection.forward(call, nameJson, (params) =>
      withMembers(envelope(params), given),
    );
    const needed = reply.ok ? inputRequired(reply.json) : undefined;
    if (needed === undefined) return withoutEraFields(reply);
    const answered = await answersTo(call, needed);
    // If the client fails to answer, the call fails.
    if ('failed' in answered) return answered.failed;
    answers = answered.members;
  }
  return { ok: false, json: '{"code":-32603,"message":"The server kept asking without end."}' };
}

/**
 * Sends a stateless call to a server with sessions. Such a server has never given out a `requestState`: one
 * that comes back is out of date or not ours, and the call must not start again under it.
 */
export function forwardToSession(
  connection: Connection,
  call: Call,
  nameJson: string | undefined,
): Promise<Reply> {
  const isResumed =
    call.params.includes('"requestState"') && memberText(call.params, 'requestState');
  return isResumed
    ? Promise.resolve(replyOf(new CallsignError('request-state-invalid')))
    : connection.forward(call, nameJson);
}

interface InputRequired {
  readonly requests: ReadonlyMap<string, string>;
  readonly state: string | undefined;
}

function inputRequired(result: string): InputRequired | undefined {
  if (memberText(result, 'resultType') !== '"input_required"') return undefined;
  const text = memberText(result, 'inputRequests') ?? '{}';
  const requests = new Map<string, string>();
  for (const [key, { start, end }] of membersOf(text) ?? [])
    requests.set(key, text.slice(start, end));
  return { requests, state: memberText(result, 'requestState') };
}

type Answers = { readonly members: Record<string, string> } | { readonly failed: Reply };

async function answersTo(call: Call, { requests, state }: InputRequired): Promise<Answers> {
  const replies = await Promise.all(
    Array.from(requests, async ([key, request]) => {
      const method = JSON.parse(memberText(request, 'method') ?? '""') as string;
      const params = memberText(request, 'params') ?? '{}';
      return { key, reply: await ask(call, { method, params }) };
    }),
  );
  const failed = replies.find(({ reply }) => !reply.ok);
  if (failed) return { failed: failed.reply };
  const responses = replies.map(({ key, reply }) => `${JSON.stringify(key)}:${reply.json}`);
  return {
    members: {
      inputResponses: `{${responses.join(',')}}`,
      ...(state === undefined ? {} : { requestState: state }),
    },
  };
}

/** Asks the caller of the call. The time for the answer does not count as the server's. */
export function ask(call: Call, question: Question): Promise<Reply> {
  const { context } = call;
  if (context.ask) {
    context.pulse?.hold();
    return context.ask(question).finally(() => context.pulse?.release());
  }
  const server = call.target?.ref.server ?? '';
  const { method } = question;
  return Promise.resolve(replyOf(new CallsignError('question-not-supported', { method, server })));
}
