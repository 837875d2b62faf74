/**
 * Follows a task of a server that speaks another era than the client. For the client it is a plain
 * call, or a task of the gateway itself. The client never gets the server's id.
 */

import { setTimeout as sleep } from 'node:timers/promises';

import {
  type Call,
  CallsignError,
  membersOf,
  memberText,
  type Question,
  type Reply,
} from '@callsign/core';

import { replyIn, replyOf } from '../../rpc/message/rpc-error.js';
import { answerUnreadable, ask, readQuestion } from '../request/input-required.js';
import { createdTask, hasEnded, taskState, withoutRelated } from './task-id-text.js';

/** Sends a request to the server of a task. `members`: of its parameters, each as JSON text. */
type TaskRequest = (method: string, members: Readonly<Record<string, string>>) => Promise<Reply>;

export interface OtherEraTask {
  readonly call: Call;
  /** The reply that may have created a task. */
  readonly reply: Reply;
  /** The parameters that the server got, as JSON text. */
  readonly params: string;
  readonly request: TaskRequest;
}

const POLL_MS = 1_000;
const FASTEST_POLL_MS = 50;
const SLOWEST_POLL_MS = 10_000;
const FAILED: Reply = { ok: false, json: '{"code":-32603,"message":"The task failed."}' };
const CANCELLED: Reply = replyOf(new CallsignError('call-cancelled'));

/** The end of a call to a stateless server, for a client with a session. */
export function endOfStatelessTask(started: OtherEraTask): Promise<Reply> {
  return following(started, async (id, isStopped) => {
    const { call, reply, request } = started;
    const answered = new Set<string>();
    let state = reply.json;
    for (;;) {
      await sleep(pollMs(state), undefined, { ref: false });
      if (isStopped()) return CANCELLED;
      const polled = await request('tasks/get', { taskId: id });
      if (!polled.ok) return polled;
      state = polled.json;
      const found = taskState(state);
      if (found && hasEnded(found)) {
        const { status, result, error } = found;
        if (status === 'cancelled') return CANCELLED;
        const isBare = status === 'failed' && result === undefined && error === undefined;
        return isBare ? FAILED : (replyIn(result, error) ?? answerUnreadable(call));
      }
      say(call, state);
      const isAnswered = await answer(call, state, answered, (inputResponses) =>
        request('tasks/update', { taskId: id, inputResponses }),
      );
      if (!isAnswered) {
        request('tasks/cancel', { taskId: id }).catch(() => undefined);
        return answerUnreadable(call);
      }
    }
  });
}

/**
 * The end of a call to a server with sessions, for a stateless client. While `result` waits, the
 * server may ask the caller.
 */
export function endOfSessionTask(
  started: OtherEraTask,
  result: (id: string) => Promise<Reply>,
): Promise<Reply> {
  return following(started, async (id) => withoutRelated(await result(id)));
}

/** Runs `follow` if the reply created a task. The time of a task does not count as that of a call. */
async function following(
  { call, reply, params, request }: OtherEraTask,
  follow: (id: string, isStopped: () => boolean) => Promise<Reply>,
): Promise<Reply> {
  const created = reply.ok ? createdTask(params, reply.json) : undefined;
  if (!created) return reply;
  const { context } = call;
  const id = JSON.stringify(created.taskId);
  let { isStopped } = context;
  const stop = (): void => {
    isStopped = true;
    request('tasks/cancel', { taskId: id }).catch(() => undefined);
  };
  if (isStopped) stop();
  context.onCancel(stop);
  const isOurTask = context.onLasting !== undefined;
  if (isOurTask) context.timer?.pause();
  say(call, memberText(reply.json, 'task') ?? reply.json);
  try {
    return await follow(id, () => isStopped);
  } finally {
    context.offCancel(stop);
    if (isOurTask) context.timer?.resume();
  }
}

function say({ context }: Call, state: string): void {
  const message: unknown = JSON.parse(memberText(state, 'statusMessage') ?? 'null');
  context.onLasting?.(typeof message === 'string' ? message : undefined);
}

/**
 * Asks the caller the questions that are new. An error of the caller leaves its question open. Returns false if a
 * question cannot be read, so it can never be answered.
 */
async function answer(
  call: Call,
  state: string,
  answered: Set<string>,
  update: (responses: string) => Promise<Reply>,
): Promise<boolean> {
  const requests = memberText(state, 'inputRequests') ?? '{}';
  const open: [string, Question][] = [];
  for (const [key, { start, end }] of membersOf(requests) ?? []) {
    const question = readQuestion(requests.slice(start, end));
    if (question === undefined) return false;
    if (!answered.has(key)) open.push([key, question]);
  }
  const answers = await Promise.all(
    open.map(async ([key, question]) => {
      answered.add(key);
      const { ok, json } = await ask(call, question);
      return ok ? [`${JSON.stringify(key)}:${json}`] : [];
    }),
  );
  const responses = answers.flat();
  if (responses.length === 0) return true;
  await call.context.recheck?.();
  await update(`{${responses.join(',')}}`);
  return true;
}

function pollMs(state: string): number {
  const asked = Number(memberText(state, 'pollIntervalMs') ?? POLL_MS);
  return Math.min(Math.max(asked || POLL_MS, FASTEST_POLL_MS), SLOWEST_POLL_MS);
}
