/**
 * Handles results of stateless servers that ask for input: asks the caller, and sends the call
 * again with the answers.
 */

import {
  type Call,
  CallsignError,
  membersOf,
  memberText,
  type Question,
  type Reply,
} from '@callsign/core';

import { replyOf } from '../../rpc/message/rpc-error.js';
import { MAX_QUESTIONS } from './open-questions.js';

/** A call fails after this many rounds of questions. */
const MAX_ROUNDS = 10;

/**
 * Sends a call until its server asks no more questions. `send` gets the answers: members to add to
 * the parameters, as JSON text.
 */
export async function untilComplete(
  call: Call,
  send: (answers: Readonly<Record<string, string>>) => Promise<Reply>,
): Promise<Reply> {
  let answers: Readonly<Record<string, string>> = {};
  for (let round = 0; round < MAX_ROUNDS; round++) {
    // The answer may have taken long, so the call may no longer be allowed.
    if (round > 0) await call.context.recheck?.();
    const reply = await send(answers);
    const needed = reply.ok ? inputRequired(reply.json) : undefined;
    if (needed === undefined) return reply;
    const answered = await answersTo(call, needed);
    // The call cannot continue without the answer.
    if ('failed' in answered) return answered.failed;
    answers = answered.members;
  }
  return {
    ok: false,
    json: '{"code":-32603,"message":"The server asked questions 10 times and did not finish the call."}',
  };
}

/** The questions of a server, and the state that it wants back with the answers. */
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
  if (requests.size > MAX_QUESTIONS) {
    const limits = { limit: MAX_QUESTIONS, what: 'open questions' };
    return { failed: replyOf(new CallsignError('too-many', limits)) };
  }
  const questions = new Map<string, Question>();
  for (const [key, request] of requests) {
    const question = readQuestion(request);
    if (question === undefined) return { failed: answerUnreadable(call) };
    questions.set(key, question);
  }
  const replies = await Promise.all(
    Array.from(questions, async ([key, question]) => ({ key, reply: await ask(call, question) })),
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

/** A question in a result; `undefined` if no client could read it. */
export function readQuestion(request: string): Question | undefined {
  const method = memberText(request, 'method');
  const params = memberText(request, 'params') ?? '{}';
  if (!method?.startsWith('"') || !params.startsWith('{')) return undefined;
  return { method: JSON.parse(method) as string, params };
}

/** The reply to a call whose server sent something that a client could not read. */
export function answerUnreadable(call: Call): Reply {
  const server = call.target?.ref.server ?? '';
  return replyOf(new CallsignError('answer-unreadable', { server }));
}

/** Asks the caller a question. The server's time limit is paused until the caller has answered. */
export function ask(call: Call, question: Question): Promise<Reply> {
  const { context } = call;
  if (context.ask) {
    context.timer?.pause();
    const answer = context.ask(question).finally(() => context.timer?.resume());
    // Other questions are for the client itself.
    if (question.method !== 'elicitation/create') return answer;
    return context.whileWaiting(answer, () => performance.now());
  }
  const server = call.target?.ref.server ?? '';
  const { method } = question;
  return Promise.resolve(replyOf(new CallsignError('question-not-supported', { method, server })));
}
